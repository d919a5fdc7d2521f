import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueFailureMails } from '../mails/failure-mail.ts'
import { endNotarization, type RunningNotarization } from './progress.store.ts'

const maxReasonLength = 500

/** Ends a notarization for good; the same certificate can then be submitted again. */
export const failNotarization = async (
  deps: CertificateDependencies,
  { running, reason }: { readonly running: RunningNotarization; readonly reason: string },
): Promise<void> => {
  const { id: certificateId, companyId, mode } = running
  const error = reason.slice(0, maxReasonLength)
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now())
    if (!(await endNotarization(tx, certificateId, { state: 'failed', error }, now))) return
    await enqueueFailureMails(deps, tx, { certificateId, companyId, mode })
  })
}
