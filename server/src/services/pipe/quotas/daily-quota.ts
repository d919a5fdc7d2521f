import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'

/** How many deliveries a company wants now. */
type Demand = { readonly companyId: string; readonly wanted: number }

export type Grant = {
  /** How many of the wanted deliveries are admitted. */
  readonly granted: number
  /** Why the others are not, and what to do. */
  readonly reason: Reason
}

/**
 * Counts deliveries that companies want now, against their limits of the day. New events count, and what somebody
 * sends again or tries; the automatic attempts of a delivery do not. Returns, by company, what is not admitted as a whole.
 * Lock webhooks before: near their limits, the numbers stay locked until the transaction ends.
 */
export const admitDeliveries = async (
  { users, clock, deliveriesPerDay }: PipeDependencies,
  tx: Transaction,
  demands: readonly Demand[],
): Promise<ReadonlyMap<string, Grant>> => {
  const refusals = await users.takeOfDay(tx, {
    counted: 'deliveries',
    limits: deliveriesPerDay,
    now: new Date(clock.now()),
    demands,
  })
  return new Map(
    [...refusals].map(([companyId, { granted, isVerified, most, end }]) => {
      const reason = because(isVerified ? 'delivery_limit' : 'delivery_limit_of_unverified', { most, end })
      return [companyId, { granted, reason }]
    }),
  )
}

/** Admits as many as the day has left. Throws if that is none. */
export const admitSome = async (deps: PipeDependencies, tx: Transaction, demand: Demand): Promise<number> => {
  const grant = (await admitDeliveries(deps, tx, [demand])).get(demand.companyId)
  if (grant?.granted === 0) throw new Problem('delivery_limit_reached', { reasons: [grant.reason] })
  return grant?.granted ?? demand.wanted
}

export const admitDelivery = async (
  deps: PipeDependencies,
  tx: Transaction,
  companyId: string,
): Promise<void> => {
  await admitSome(deps, tx, { companyId, wanted: 1 })
}
