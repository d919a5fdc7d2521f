import { modes } from '@millseal/contract'
import type { JobKind } from '../../../ports/jobs/jobs.ts'
import type { KmDependencies } from '../dependencies.ts'
import { endLoss, takeLoss } from './lost-quorums.store.ts'

export const quorumWatch: JobKind<object> = {
  name: 'km-quorum-watch',
  retries: 2,
  backoffSeconds: 10,
  expireSeconds: 60,
}

/** A cosigner that restarts is no news. */
const reportedAfterMs = 5 * 60_000

/** Mails operators once if no quorum confirms a log for five minutes, and once when one does again. */
export const watchQuorums = async ({ ledgers, database, clock, users }: KmDependencies): Promise<void> => {
  for (const mode of modes) {
    const { confirmation } = ledgers.embedded(mode)
    const isLost = await confirmation?.check().then(
      () => false,
      () => true,
    )
    const now = new Date(clock.now())
    const before = new Date(clock.now() - reportedAfterMs)
    await database.transaction(async (tx) => {
      const loss = isLost === true ? await takeLoss(tx, { mode, now, before }) : await endLoss(tx, mode)
      // Without cosigners in the settings, nothing is lost and nothing came back.
      if (loss === undefined || isLost === undefined) return
      const state = isLost ? 'lost' : 'back'
      await users.mailOperators(tx, { mode, state, lostAt: loss.lostAt.toISOString() })
    })
  }
}
