import type { LedgerNode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { ExplainedError } from '../../../lib/explained-error.ts'
import type { KmDependencies } from '../dependencies.ts'
import { ledgerAt } from '../ledgers/ledgers.ts'
import type { StoredNode } from './nodes.store.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

const deadlineMs = 2_000

/** Asks the ledger every time. An answer after the deadline counts as none. */
export const probeNode = async (
  { ledgers, clock }: KmDependencies,
  node: StoredNode,
): Promise<NonNullable<LedgerNode['health']>> => {
  const signal = deadlineSignal(deadlineMs)
  const { promise: late, reject } = Promise.withResolvers<never>()
  signal.addEventListener(
    'abort',
    () => reject(new ExplainedError(because('no_answer_within_ms', { ms: deadlineMs }))),
    {
      once: true,
    },
  )
  const checkedAt = () => new Date(clock.now()).toISOString()
  return await Promise.race([ledgerAt(ledgers, node).check(signal), late]).then(
    () => ({ reachable: true, checkedAt: checkedAt() }),
    (cause: unknown) => ({
      reachable: false,
      checkedAt: checkedAt(),
      error: cause instanceof Error ? cause.message : 'failed',
      reasons: cause instanceof ExplainedError && cause.because ? [{ ...cause.because }] : undefined,
    }),
  )
}
