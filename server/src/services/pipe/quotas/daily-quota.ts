import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { countWanted, type Demand, uncount } from './quotas.store.ts'

const dayMs = 86_400_000

export type Grant = {
  /** How many of the wanted deliveries are admitted. */
  readonly granted: number
  /** Why the others are not, and what to do. */
  readonly reason: Reason | undefined
}

/**
 * Counts deliveries that companies want now, against their limits of the day. New events count, and what somebody
 * sends again or tries; the automatic attempts of a delivery do not. Lock webhooks before: the numbers stay locked
 * until the transaction ends.
 */
export const admitDeliveries = async (
  { users, clock, deliveriesPerDay }: PipeDependencies,
  tx: Transaction,
  demands: readonly Demand[],
): Promise<ReadonlyMap<string, Grant>> => {
  const now = new Date(clock.now())
  const before = await countWanted(tx, demands, now)
  const { verified, unverified } = deliveriesPerDay
  const exceeds = ({ companyId, wanted }: Demand, most: number): boolean =>
    (before.get(companyId) ?? 0) + wanted > most
  const suspects = demands.filter((demand) => exceeds(demand, Math.min(verified, unverified)))
  const ids = suspects.map(({ companyId }) => companyId)
  const verifications = ids.length === 0 ? new Map<string, unknown>() : await users.findVerifications(tx, ids)
  const grants = new Map<string, Grant>(
    demands.map(({ companyId, wanted }) => [companyId, { granted: wanted, reason: undefined }]),
  )
  for (const demand of suspects) {
    const { companyId, wanted } = demand
    const isVerified = verifications.has(companyId)
    const most = isVerified ? verified : unverified
    if (!exceeds(demand, most)) continue
    const granted = Math.max(0, most - (before.get(companyId) ?? 0))
    grants.set(companyId, { granted, reason: reasonOf({ isVerified, most, now }) })
    await uncount(tx, { companyId, refused: wanted - granted, now })
  }
  return grants
}

/** Admits as many as the day has left. Throws if that is none. */
export const admitSome = async (
  deps: PipeDependencies,
  tx: Transaction,
  { companyId, wanted }: Demand,
): Promise<number> => {
  const [grant] = (await admitDeliveries(deps, tx, [{ companyId: companyId.toLowerCase(), wanted }])).values()
  if (grant === undefined || grant.granted > 0) return grant?.granted ?? 0
  throw new Problem('delivery_limit_reached', { reasons: grant.reason === undefined ? [] : [grant.reason] })
}

export const admitDelivery = async (
  deps: PipeDependencies,
  tx: Transaction,
  companyId: string,
): Promise<void> => {
  await admitSome(deps, tx, { companyId, wanted: 1 })
}

type Limit = { readonly isVerified: boolean; readonly most: number; readonly now: Date }

const reasonOf = ({ isVerified, most, now }: Limit): Reason => {
  const end = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs).toISOString()
  return because(isVerified ? 'delivery_limit' : 'delivery_limit_of_unverified', { most, end })
}
