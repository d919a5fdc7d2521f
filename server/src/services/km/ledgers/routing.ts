import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import type { Ledger, LedgerEntry, Submission } from '../../../ports/ledger/ledger.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { embedded } from '../nodes/connection-url.ts'
import { findNodesToAsk } from '../nodes/nodes.store.ts'
import type { LedgerMetrics } from './metrics.ts'

/**
 * Which ledger a mode uses. New transactions go to the active node; what was recorded on a network that was switched
 * off is still found there, so that verification does not end with a change of networks.
 */
export type LedgerRouting = {
  /** Throws `unavailable` where no node of the mode is active. */
  active(mode: Mode): Promise<Ledger>
  submit(mode: Mode, transaction: SignedTransaction, signal: AbortSignal): Promise<Submission>
  /** The first answer in the order of the nodes. Rejects when nobody has it and somebody could not be asked. */
  findFirst<T>(mode: Mode, ask: (ledger: Ledger) => Promise<T | undefined>): Promise<T | undefined>
  /** As `findFirst`, leaving out the ledger that new transactions go to. */
  findElsewhere(
    mode: Mode,
    ask: (ledger: Ledger) => Promise<LedgerEntry | undefined>,
  ): Promise<LedgerEntry | undefined>
  /** After a change of the nodes in this process; other processes learn of it within a second. */
  forget(): void
}

type Route = {
  readonly active: Ledger | undefined
  readonly all: readonly Ledger[]
  readonly foundAtMs: number
}

const rememberedMs = 1_000

export const createLedgerRouting = (
  deps: Pick<KmDependencies, 'database' | 'ledgers' | 'clock'> & {
    readonly ledgerMetrics: LedgerMetrics
  },
): LedgerRouting => {
  const routes = new Map<Mode, Route>()

  const routeOf = async (mode: Mode): Promise<Route> => {
    const known = routes.get(mode)
    const now = deps.clock.now()
    if (known !== undefined && now - known.foundAtMs < rememberedMs) return known
    const nodes = await findNodesToAsk(deps.database.query, { mode, coinType: ledgerCoinType })
    const open = (url: string) => (url === embedded ? deps.ledgers.embedded(mode) : deps.ledgers.at(url))
    const ledgers = new Map(nodes.map(({ connectionUrl }) => [connectionUrl, open(connectionUrl)]))
    const activeUrl = nodes.find(({ status }) => status === 'active')?.connectionUrl
    const route: Route = {
      active: activeUrl === undefined ? undefined : ledgers.get(activeUrl),
      all: [...ledgers.values()],
      foundAtMs: now,
    }
    routes.set(mode, route)
    return route
  }

  const activeOf = async (mode: Mode): Promise<Ledger> => {
    const { active } = await routeOf(mode)
    if (active === undefined) {
      throw new Problem('unavailable', { details: [`No ledger node is active in ${mode} mode`] })
    }
    return active
  }

  return {
    active: activeOf,
    async submit(mode, transaction, signal) {
      const ledger = await activeOf(mode)
      return deps.ledgerMetrics.measure({ mode, kind: ledger.kind }, () => ledger.submit(transaction, signal))
    },
    findFirst: async (mode, ask) => firstAnswer((await routeOf(mode)).all, ask),
    async findElsewhere(mode, ask) {
      const { active, all } = await routeOf(mode)
      return firstAnswer(
        all.filter((ledger) => ledger !== active),
        ask,
      )
    },
    forget: () => routes.clear(),
  }
}

const firstAnswer = async <T>(
  ledgers: readonly Ledger[],
  ask: (ledger: Ledger) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const failures: unknown[] = []
  for (const ledger of ledgers) {
    try {
      const answer = await ask(ledger)
      if (answer !== undefined) return answer
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return undefined
}
