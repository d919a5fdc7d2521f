import type { CertificateDependencies } from '../dependencies.ts'
import { mailFailure } from '../mails/failure-mail.ts'
import { type Begun, endNotarization } from './progress.store.ts'

const maxReasonLength = 500

/** Ends it for good; the same certificate may then be notarized anew. */
export const failNotarization = async (
  deps: CertificateDependencies,
  { begun, reason }: { readonly begun: Begun; readonly reason: string },
): Promise<void> => {
  const error = reason.slice(0, maxReasonLength)
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now())
    if (!(await endNotarization(tx, begun.id, { state: 'failed', error }, now))) return
    await mailFailure(deps, tx, { certificateId: begun.id, companyId: begun.companyId })
  })
}
