import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findCoinType } from './cointypes.store.ts'

/** BigchainDB in SLIP-0044: the only coin type of identities and transactions. */
export const ledgerCoinType = 822

/** `place` is where the caller gave the coin type, for the error detail. */
export const assertUsableCoinType = async (query: Query, coinType: number, place: string): Promise<void> => {
  if (coinType !== ledgerCoinType) {
    throw new Problem('coin_type_unsupported', {
      reasons: [because('must_be', { value: ledgerCoinType, place })],
    })
  }
  if ((await findCoinType(query, coinType))?.status !== 'active') {
    throw new Problem('coin_type_unsupported', {
      reasons: [because('coin_type_inactive', { coinType, place })],
    })
  }
}
