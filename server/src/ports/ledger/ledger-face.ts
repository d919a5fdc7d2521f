import type { SignedTransaction } from '@millseal/proof'
import type { Ledger } from './ledger.ts'

export type LedgerBlock = { readonly height: number; readonly transactions: readonly SignedTransaction[] }

/** A validator in the sense of Tendermint. A log has one: its own checkpoint key. */
export type LedgerValidator = { readonly publicKey: Uint8Array; readonly votingPower: number }

export type Committed = {
  readonly transactionId: string
  readonly assetId: string
  readonly height: number
}

/** A ledger that can be served over the HTTP API of BigchainDB. */
export interface LedgerFaceSource extends Ledger {
  findBlock(height: number): Promise<LedgerBlock | undefined>
  listValidators(): Promise<readonly LedgerValidator[]>
  /** Reports new transactions in order, including those of other processes, until the signal aborts. */
  onCommitted(listener: (committed: Committed) => void, signal: AbortSignal): void
}
