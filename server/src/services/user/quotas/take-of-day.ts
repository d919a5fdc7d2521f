import { utcDay } from '../../../lib/utc-day.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'
import {
  count,
  countFarBelow,
  type Counted,
  type CountedDay,
  type Demand,
  lockNumber,
  readNumber,
} from './daily-quotas.store.ts'

const dayMs = 86_400_000

/** How many a company can have a day; `Infinity` is no limit. */
export type DailyLimits = { readonly verified: number; readonly unverified: number }

export type DailyOrder = {
  readonly counted: Counted
  readonly limits: DailyLimits
  readonly now: Date
  /** Each company once. */
  readonly demands: readonly Demand[]
}

export type Refusal = {
  /** How many of the wanted ones the day had left. These are counted. */
  readonly granted: number
  /** Nothing of this company was refused on this day before. */
  readonly isFirst: boolean
  readonly isVerified: boolean
  readonly most: number
  /** When the next day starts. */
  readonly end: string
}

/**
 * Counts what companies want of a day. Returns, by company, what was not granted as a whole. The limits are exact, also for
 * calls in several processes, and what a failed transaction counted is free again. Call it late: near its limit, a company's
 * other calls wait for the end of the transaction.
 */
export const takeOfDay = async (
  tx: Transaction,
  { counted, limits, now, demands }: DailyOrder,
  findVerified: (query: Query, companyIds: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<ReadonlyMap<string, Refusal>> => {
  const { verified, unverified } = limits
  const least = Math.min(verified, unverified)
  const refusals = new Map<string, Refusal>()
  if (least === Infinity || demands.length === 0) return refusals
  const day = { counted, day: utcDay(now) }
  const known = await countFarBelow(tx, day, demands, least)
  const others = demands.filter(({ companyId }) => !known.has(companyId.toLowerCase()))
  if (others.length === 0) return refusals
  const ids = others.map(({ companyId }) => companyId)
  const verifiedOnes = await findVerified(tx, ids)
  const end = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs).toISOString()
  // In the order of their ids: two transactions must not wait for each other.
  for (const demand of others.toSorted((a, b) => (a.companyId < b.companyId ? -1 : 1))) {
    const isVerified = verifiedOnes.has(demand.companyId.toLowerCase())
    const most = isVerified ? verified : unverified
    if (most > least && (await countFarBelow(tx, day, [demand], most)).size > 0) continue
    const taken = await takeWhatIsLeft(tx, day, { ...demand, most })
    if (taken.granted < demand.wanted) refusals.set(demand.companyId, { ...taken, isVerified, most, end })
  }
  return refusals
}

const takeWhatIsLeft = async (
  tx: Transaction,
  day: CountedDay,
  { companyId, wanted, most }: Demand & { readonly most: number },
): Promise<{ readonly granted: number; readonly isFirst: boolean }> => {
  await lockNumber(tx, day, companyId)
  // A statement of its own, which sees what was committed while the lock was waited for.
  const { used, isRefused } = await readNumber(tx, day, companyId)
  const granted = Math.max(0, Math.min(wanted, most - used))
  await count(tx, day, { companyId, used: granted, isRefused: granted < wanted })
  return { granted, isFirst: !isRefused }
}
