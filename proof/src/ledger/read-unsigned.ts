import type { Primitives } from '../primitives.ts'
import { canonicalLedgerText } from './canonical.ts'
import { object } from './shape.ts'
import { assertDetails, assertShape } from './whole-shape.ts'
import type { UnsignedTransaction } from './transaction.ts'
import { assertLength } from './verify-signed.ts'
import { assertContents } from './verify-transaction.ts'

/** Reads a transaction that is unsigned or partly signed. Drops its id, which has no meaning. */
export const readUnsignedTransaction = (candidate: unknown, primitives: Primitives): UnsignedTransaction => {
  const fields = { ...object(candidate, 'transaction'), id: null }
  assertLength(canonicalLedgerText(fields))
  assertShape(fields, assertPending)
  const transaction = fields as unknown as UnsignedTransaction
  assertContents(transaction, primitives)
  return transaction
}

const assertPending = (value: unknown, at: string): void => {
  if (value === null || typeof value === 'string') return
  assertDetails(value, at, { maySign: true })
}
