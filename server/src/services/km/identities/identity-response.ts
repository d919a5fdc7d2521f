import type { Identity } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'
import { findTransactionIds } from '../transactions/transactions.store.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'

/** An identity may have signed thousands of certificates, so a response lists only the newest transactions. */
const listedTransactions = 100

export const toIdentityResponses = async (
  query: Query,
  identities: readonly StoredIdentity[],
): Promise<Identity[]> => {
  const transactions = await findTransactionIds(
    query,
    identities.map(({ id }) => id),
    listedTransactions,
  )
  return identities.map((identity) => toIdentityResponse(identity, transactions.get(identity.id) ?? []))
}

export const toIdentityResponse = (
  identity: StoredIdentity,
  transactionIds: readonly string[],
): Identity => ({
  id: identity.id,
  createdAt: identity.createdAt.toISOString(),
  updatedAt: identity.updatedAt.toISOString(),
  coinType: identity.coinType,
  account: identity.account,
  index: identity.index,
  change: identity.change,
  mode: identity.mode,
  did: identity.did,
  publicKey: identity.publicKey,
  name: identity.name ?? undefined,
  status: identity.status,
  revokedSince: identity.revokedSince?.toISOString(),
  isPublic: identity.notarizedAt !== null,
  wallet: identity.walletId,
  transactions: [...transactionIds],
})
