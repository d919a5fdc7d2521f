import type { Transaction } from '@millseal/contract'
import type { StoredTransaction } from './transactions.store.ts'

export const toTransactionResponse = (stored: StoredTransaction): Transaction => ({
  id: stored.id,
  createdAt: stored.createdAt.toISOString(),
  updatedAt: stored.updatedAt.toISOString(),
  coinType: stored.coinType,
  type: stored.type,
  ...(stored.sentAt === undefined ? {} : { transactionId: stored.ledgerId }),
  signed: true,
  sent: stored.sentAt !== undefined,
  fulfillments: [...stored.fulfillments],
  mode: stored.mode,
  identities: [...stored.identityIds],
  owner: stored.companyId,
})
