import type { SignedTransaction } from '@millseal/proof'
import type { Ledger } from './ledger.ts'

export type LedgerBlock = { readonly height: number; readonly transactions: readonly SignedTransaction[] }

/** Who decides what is written, in the words of Tendermint; a log has one, its own checkpoint key. */
export type LedgerValidator = { readonly publicKey: Uint8Array; readonly votingPower: number }

export type Committed = {
  readonly transactionId: string
  readonly assetId: string
  readonly height: number
}

/** A ledger that can be shown to strangers in the words of BigchainDB. */
export interface LedgerFaceSource extends Ledger {
  findBlock(height: number): Promise<LedgerBlock | undefined>
  listValidators(): Promise<readonly LedgerValidator[]>
  /** From now on, in order, also of transactions that another process appended; stops when the signal aborts. */
  onCommitted(listener: (committed: Committed) => void, signal: AbortSignal): void
}
