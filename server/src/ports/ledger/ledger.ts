import type { SignedTransaction } from '@millseal/proof'

/** A transaction in its place on the ledger. `timestamp` is when the ledger took it, by the ledger's own clock. */
export type LedgerEntry = {
  readonly transaction: SignedTransaction
  /** Height of the block that holds it. */
  readonly height: number
  /** Place in the log, where the ledger is one. */
  readonly index?: number
  readonly timestamp?: Date
}

export type Submission = {
  readonly entry: LedgerEntry
  /** False when the ledger had this transaction, or this certificate, already: `entry` is then the one it has. */
  readonly isNew: boolean
}

export type OutputReference = { readonly transactionId: string; readonly outputIndex: number }

/** What a third party needs to check, without asking again, that a transaction is in the log. */
export type InclusionEvidence = {
  readonly index: number
  /** C2SP tlog-proof: index, inclusion path, checkpoint. */
  readonly tlogProof: string
  /** The signed checkpoint alone. */
  readonly checkpoint: string
}

/** Which of the two files of a certificate a hash is that of. */
export type CertificateFile = 'json' | 'pdf'

export type LedgerSearch = {
  readonly words: string
  readonly within?: 'assets' | 'metadata'
  readonly limit: number
}

/**
 * Where transactions live.
 *
 * `submit` resolves only when the entry is on disk (or in a block) and will be found by everybody; it is
 * idempotent by transaction id and by certificate (`jsonHash` of a CREATE's asset): a second submission, also after a
 * lost answer or a crash, resolves with the entry that is there and `isNew: false`. `TransactionRefused` means that no
 * retry can help; `LedgerUnavailable` that the outcome is unknown and the same transaction may be submitted again.
 * Every transaction that is read was verified by us: its id and its signatures, whoever the ledger is.
 */
export interface Ledger extends AsyncDisposable {
  readonly kind: 'embedded' | 'bigchaindb-http'
  submit(transaction: SignedTransaction, signal?: AbortSignal): Promise<Submission>
  find(transactionId: string): Promise<LedgerEntry | undefined>
  /**
   * The first entry that records this SHA-256 (hex, lower case) as that of the JSON or of the PDF of a certificate; of
   * either where no file is named. Who records a hash again later, under whichever name, changes no answer.
   */
  findCertificate(hash: string, file?: CertificateFile): Promise<LedgerEntry | undefined>
  findByAsset(
    assetId: string,
    options?: { readonly operation?: 'CREATE' | 'TRANSFER'; readonly onlyLast?: boolean },
  ): Promise<readonly LedgerEntry[]>
  findOutputs(publicKey: string, options?: { readonly spent?: boolean }): Promise<readonly OutputReference[]>
  search(search: LedgerSearch): Promise<readonly LedgerEntry[]>
  /** Undefined where the ledger has no log to prove from. */
  prove(transactionId: string): Promise<InclusionEvidence | undefined>
  /** Resolves when the ledger answers; rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}

export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused'
  /** `conflict`: an output is spent already; `invalid`: everything else. */
  readonly reason: 'invalid' | 'conflict'

  constructor(message: string, reason: 'invalid' | 'conflict' = 'invalid') {
    super(message)
    this.reason = reason
  }
}

export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
}
