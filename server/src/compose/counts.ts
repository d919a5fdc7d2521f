import { operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { type Binding, bind } from '../http/binding.ts'
import { Problem } from '../lib/problem.ts'
import type { CertificateService } from '../services/certificate/index.ts'
import type { PipeService } from '../services/pipe/index.ts'

/** What the navigation of the console shows beside its lines. */
export const countsRoutes = ({
  certificate,
  pipe,
}: {
  readonly certificate: CertificateService
  readonly pipe: PipeService
}): readonly Binding[] => [
  bind(operations.readCounts, async ({ companyId, mode, query }) => {
    const receivedSince = query.receivedSince === undefined ? undefined : new Date(query.receivedSince)
    if (receivedSince !== undefined && Number.isNaN(receivedSince.getTime()))
      throw new Problem('validation_failed', {
        reasons: [because('must_be_time', { place: 'query/receivedSince' })],
      })
    const [counted, failingWebhooks] = await Promise.all([
      certificate.countOf({ companyId, mode, receivedSince }),
      pipe.countFailingHooks({ companyId, mode }),
    ])
    return { ...counted, failingWebhooks }
  }),
]
