import type { LedgerNode } from '@millseal/contract'
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
  signal.addEventListener('abort', () => reject(new Error(`no answer within ${deadlineMs} ms`)), {
    once: true,
  })
  const error = await Promise.race([ledgerAt(ledgers, node).check(signal), late]).then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message : 'failed'),
  )
  return { reachable: error === undefined, checkedAt: new Date(clock.now()).toISOString(), error }
}
