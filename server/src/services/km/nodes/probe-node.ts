import type { LedgerNode } from '@millseal/contract'
import type { KmDependencies } from '../dependencies.ts'
import { embedded } from './connection-url.ts'
import type { StoredNode } from './nodes.store.ts'

const deadlineMs = 2_000

/** Asked anew each time: an answer that is not there within the deadline counts as none. */
export const probeNode = async (
  { ledgers, clock }: Pick<KmDependencies, 'ledgers' | 'clock'>,
  { connectionUrl, mode }: StoredNode,
): Promise<NonNullable<LedgerNode['health']>> => {
  const signal = AbortSignal.timeout(deadlineMs)
  const { promise: late, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(new Error(`no answer within ${deadlineMs} ms`)), {
    once: true,
  })
  const ledger = connectionUrl === embedded ? ledgers.embedded(mode) : ledgers.at(connectionUrl)
  const error = await Promise.race([ledger.check(signal), late]).then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message : 'failed'),
  )
  const checkedAt = new Date(clock.now()).toISOString()
  return error === undefined ? { reachable: true, checkedAt } : { reachable: false, checkedAt, error }
}
