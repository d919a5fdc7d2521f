import { type Static, Type } from 'typebox'
import { Count } from './certificate-lists.ts'
import { output } from './common.ts'

export const CompanyCounts = output('CompanyCountsDto', {
  certificates: Count,
  received: Type.Optional(Count),
  failingWebhooks: Type.Integer({
    minimum: 0,
    description: 'Webhooks whose receiver has refused or not answered since some time',
  }),
})
export type CompanyCounts = Static<typeof CompanyCounts>
