import type { SignedTransaction as SignedResponse, Transaction } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import { toRaw } from './raw-transaction.ts'
import type { StoredTransaction } from './transactions.store.ts'

export const toTransactionResponse = (stored: StoredTransaction): Transaction => ({
  id: stored.id,
  createdAt: stored.createdAt.toISOString(),
  updatedAt: stored.updatedAt.toISOString(),
  coinType: stored.coinType,
  type: stored.type,
  kind: stored.kind,
  subject: stored.subject ?? undefined,
  transactionId: stored.sentAt === null ? undefined : stored.ledgerId,
  signed: true,
  sent: stored.sentAt !== null,
  fulfillments: stored.fulfillments,
  mode: stored.mode,
  identities: [...stored.identityIds],
  owner: stored.companyId,
})

export const toSignedResponse = (
  stored: StoredTransaction,
  transaction: SignedTransaction,
): SignedResponse => ({
  transaction: toTransactionResponse(stored),
  signedTx: [toRaw(transaction)],
  coinType: ledgerCoinType,
})
