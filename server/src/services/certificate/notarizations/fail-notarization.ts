import type { Reason } from '@millseal/contract/reasons'
import type { CertificateDependencies } from '../dependencies.ts'
import { enqueueFailureMails } from '../mails/failure-mail.ts'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import { secondsSince } from '../../../lib/seconds-since.ts'
import { endNotarizations, type RunningNotarization } from './progress.store.ts'

const maxErrorLength = 500

/** Ends a notarization for good; the same certificate can then be submitted again. */
export const failNotarization = async (
  deps: CertificateDependencies,
  { running, reasons }: { readonly running: RunningNotarization; readonly reasons: readonly Reason[] },
): Promise<void> => {
  const { id: certificateId, companyId, mode } = running
  const failure = storedReasons(reasons, maxErrorLength)
  const isEnded = await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now())
    const ended = await endNotarizations(tx, [{ id: certificateId, state: 'failed', ...failure }], now)
    if (!ended.has(certificateId)) return false
    await enqueueFailureMails(deps, tx, { certificateId, companyId, mode })
    return true
  })
  if (isEnded)
    deps.onEnded({ mode, outcome: 'failed', seconds: secondsSince(running.createdAt, deps.clock.now()) })
}
