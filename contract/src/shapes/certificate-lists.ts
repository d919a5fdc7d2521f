import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { output } from './common.ts'

const Count = output('CertificateCountDto', {
  count: Type.Integer({ minimum: 0, maximum: limits.countedPerState }),
  isExact: Type.Boolean({ description: 'false if there are more' }),
})

export const CertificateCounts = output(
  'CertificateCountsDto',
  {
    accepted: Count,
    running: Count,
    notarized: Count,
    failed: Count,
    received: Type.Optional(Count),
  },
  { description: 'Issued certificates by state, and received ones once the company is verified' },
)
export type CertificateCounts = Static<typeof CertificateCounts>
