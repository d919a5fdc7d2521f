import { utf8 } from '../encoding/bytes.ts'
import { canonicalLedgerText } from '../ledger/canonical.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import { type NoteKey, NoteRefused } from '../log/note.ts'
import { verifyTlogProof } from '../log/tlog-proof.ts'
import type { Primitives } from '../primitives.ts'
import type { Check } from './report.ts'

type Claim = {
  readonly proof: string
  readonly transaction: SignedTransaction
  readonly logs: readonly NoteKey[]
}

/** Checks that a trusted log has signed a tree that contains this transaction. */
export const checkLog = ({ proof, transaction, logs }: Claim, primitives: Primitives): Check => {
  if (logs.length === 0) {
    return {
      name: 'log',
      outcome: 'unknown',
      says: 'You trust no log yet: add the key of the log to a policy',
    }
  }
  const entry = utf8(canonicalLedgerText(transaction))
  const reasons: string[] = []
  for (const key of logs) {
    try {
      const { index, checkpoint } = verifyTlogProof({ proof, entry, key }, primitives)
      const says = `Entry ${index} of ${checkpoint.size} in the log ${key.name}, signed by the log`
      return { name: 'log', outcome: 'passed', says }
    } catch (error) {
      if (!(error instanceof NoteRefused)) throw error
      reasons.push(error.message)
    }
  }
  return { name: 'log', outcome: 'failed', says: [...new Set(reasons)].join('; ') }
}
