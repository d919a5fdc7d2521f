import type { TransactionKind } from '@millseal/contract'
import { correctionType, type SignedTransaction } from '@millseal/proof'

/** What a transaction records, and what that is about. */
export type Recorded = { readonly kind: TransactionKind; readonly subject: string | null }

const other: Recorded = { kind: 'other', subject: null }

/** Anybody can send any asset, so a subject that is not what it should be makes the transaction an `other`. */
export const whatItRecords = (transaction: SignedTransaction): Recorded => {
  const data = transaction.operation === 'CREATE' ? transaction.asset.data : null
  if (data === null) return other
  const { type, action, did, jsonHash, transactionId } = data
  if (type === 'identity' || type === 'review') return recorded(type, did, isDid)
  if (type !== correctionType) return recorded('certificate', jsonHash, isHash)
  if (action === 'withdraw') return recorded('withdrawal', transactionId, isHash)
  if (action === 'replace') return recorded('replacement', transactionId, isHash)
  return action === 'revoke-key' ? recorded('revocation', did, isDid) : other
}

const recorded = (kind: TransactionKind, value: unknown, isRight: (text: string) => boolean): Recorded =>
  typeof value === 'string' && isRight(value) ? { kind, subject: value } : other

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

export const isDid = (text: string): boolean => /^did:key:z[1-9A-HJ-NP-Za-km-z]{40,64}$/.test(text)
