import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findCoinType } from './cointypes.store.ts'

/** BigchainDB in SLIP-0044: the only one that identities and transactions can have. */
export const ledgerCoinType = 822

/** Throws what stands in the way of using it, naming the place it was given in. */
export const assertUsableCoinType = async (query: Query, coinType: number, place: string): Promise<void> => {
  if (coinType !== ledgerCoinType) {
    throw new Problem('coin_type_unsupported', { details: [`${place} must be ${ledgerCoinType}`] })
  }
  if ((await findCoinType(query, coinType))?.status !== 'active') {
    throw new Problem('coin_type_unsupported', { details: [`${place}: ${coinType} is switched off`] })
  }
}
