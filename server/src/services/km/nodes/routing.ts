import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { Ledger, LedgerEntry, Submission } from '../../../ports/ledger/ledger.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import { findNodesToAsk } from './nodes.store.ts'
import { ledgerAt, type Ledgers } from '../ledgers/ledgers.ts'
import type { LedgerMetrics } from '../ledgers/metrics.ts'

/**
 * Selects the ledger of a mode. New transactions go to the active node. Transactions on a network that was switched off
 * are still found there, so verification continues to work after a change of networks.
 */
export type LedgerRouting = {
  /** Throws `unavailable` if no node of the mode is active. */
  active(mode: Mode): Promise<Ledger>
  submit(mode: Mode, ...given: Parameters<Ledger['submit']>): Promise<Submission>
  /** The first answer, in the order of the nodes. Rejects if no node has an answer and at least one failed. */
  findFirst<T>(mode: Mode, ask: (ledger: Ledger) => Promise<T | undefined>): Promise<T | undefined>
  /** Like `findFirst`, without the active ledger. */
  findElsewhere(
    mode: Mode,
    ask: (ledger: Ledger) => Promise<LedgerEntry | undefined>,
  ): Promise<LedgerEntry | undefined>
  /** Reads the nodes again at the next use. Other processes see a change within a second. */
  refresh(): void
}

type Route = {
  readonly active: Ledger | undefined
  readonly all: readonly Ledger[]
  readonly readAtMs: number
}

const rememberedMs = 1_000

export const createLedgerRouting = ({
  database,
  ledgers,
  clock,
  metrics,
}: {
  readonly database: Database
  readonly ledgers: Ledgers
  readonly clock: Clock
  readonly metrics: LedgerMetrics
}): LedgerRouting => {
  const routes = new Map<Mode, Route>()

  const routeOf = async (mode: Mode): Promise<Route> => {
    const known = routes.get(mode)
    const now = clock.now()
    if (known !== undefined && Math.abs(now - known.readAtMs) < rememberedMs) return known
    const nodes = await findNodesToAsk(database.query, { mode, coinType: ledgerCoinType })
    const byUrl = new Map(nodes.map((node) => [node.connectionUrl, ledgerAt(ledgers, node)]))
    const activeUrl = nodes.find(({ status }) => status === 'active')?.connectionUrl
    const route: Route = {
      active: activeUrl === undefined ? undefined : byUrl.get(activeUrl),
      all: [...byUrl.values()],
      readAtMs: now,
    }
    routes.set(mode, route)
    return route
  }

  const activeOf = async (mode: Mode): Promise<Ledger> => {
    const { active } = await routeOf(mode)
    if (active === undefined) {
      throw new Problem('unavailable', { reasons: [because('no_active_node', { mode })] })
    }
    return active
  }

  return {
    active: activeOf,
    async submit(mode, ...given) {
      const ledger = await activeOf(mode)
      return metrics.measure({ mode, kind: ledger.kind }, () => ledger.submit(...given))
    },
    findFirst: async (mode, ask) => firstAnswer((await routeOf(mode)).all, ask),
    async findElsewhere(mode, ask) {
      const { active, all } = await routeOf(mode)
      return firstAnswer(
        all.filter((ledger) => ledger !== active),
        ask,
      )
    },
    refresh: () => routes.clear(),
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
