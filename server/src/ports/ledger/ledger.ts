import { because, type Reason } from '@millseal/contract/reasons'
import type { SignedTransaction } from '@millseal/proof'
import { ExplainedError } from '../../lib/explained-error.ts'
import type { notarized } from './notarized.ts'

/** A transaction and its place on the ledger. `timestamp`: when the ledger recorded it, by its own clock. */
export type LedgerEntry = {
  readonly transaction: SignedTransaction
  /** The height of its block. */
  readonly height: number
  /** The index in the log, if the ledger is a log. */
  readonly index?: number
  readonly timestamp?: Date
}

export type Submission = {
  readonly entry: LedgerEntry
  /** False if this transaction or certificate was already recorded: `entry` is then the existing one. */
  readonly isNew: boolean
}

export type OutputReference = { readonly transactionId: string; readonly outputIndex: number }

export type ProvenEntry = {
  readonly transaction: SignedTransaction
  /** As the entry says. Undefined for entries that are older than times in entries. */
  readonly time: string | undefined
  readonly index: number
  readonly path: readonly Uint8Array[]
}

/** A leaf of the status tree: the corrections of `subject`, or that no subject between it and `next` has any. */
export type ProvenStatus = {
  readonly subject: string
  readonly next: string
  readonly entries: readonly number[]
  readonly index: number
  readonly path: readonly Uint8Array[]
}

/** All against the one checkpoint. */
export type LogEvidence = {
  readonly checkpoint: string
  /** Those that were asked for, in that order; then the corrections that the statuses list, ascending, each once. */
  readonly entries: readonly ProvenEntry[]
  /** One for each subject, in that order. Empty if the checkpoint has no status tree. */
  readonly statuses: readonly ProvenStatus[]
  /** The path of the last entry, if it is wanted and a state leaf. */
  readonly statePath: readonly Uint8Array[] | undefined
}

/** Statuses are those of certificates and keys: `certificateSubject` and `keySubject` of proof/. */
export type WantedProof = {
  readonly transactionIds: readonly string[]
  readonly subjects: readonly string[]
  /** Whether the path of the last entry is wanted. */
  readonly withState?: boolean
}

/** The key with which the operator of a log signs reviews and corrections. */
export type LedgerOperator = {
  did(): Promise<string>
  /** Signs a CREATE, which is not recorded yet. The same asset gives the same transaction. */
  sign(asset: Readonly<Record<string, string>>): Promise<SignedTransaction>
}

/** The two files of a certificate that have a hash. */
export type CertificateFile = 'json' | 'pdf'

export type LedgerSearch = {
  readonly words: string
  readonly within?: 'assets' | 'metadata'
  readonly limit: number
}

/**
 * Stores transactions.
 *
 * `submit` resolves only when the entry is on disk (or in a block) and every process can find it. It is idempotent by
 * transaction id and by certificate (`jsonHash` of a CREATE's asset): a second submission, even after a lost answer or a
 * crash, resolves with the existing entry and `isNew: false`. A certificate has further entries only if each names the
 * first one in `beside`: one for each signer, who otherwise gets its own entry. `TransactionRefused` means that a retry cannot help;
 * `LedgerUnavailable` that the outcome is unknown and the same transaction can be submitted again. The id and the
 * signatures of every transaction read are verified by us, whichever ledger it comes from. A live ledger refuses what
 * `assertRecordable` of `gate.ts` refuses, before anything is written.
 */
export interface Ledger extends AsyncDisposable {
  readonly kind: 'embedded' | 'bigchaindb-http'
  submit(transaction: SignedTransaction, signal?: AbortSignal, as?: typeof notarized): Promise<Submission>
  find(transactionId: string): Promise<LedgerEntry | undefined>
  /**
   * The first entry that records this SHA-256 (hex, lower case) for the JSON or the PDF of a certificate, or for either if
   * no file is given. Recording a hash again later, for either file, does not change the answer.
   */
  findCertificate(hash: string, file?: CertificateFile): Promise<LedgerEntry | undefined>
  /** All entries that record this SHA-256 for the JSON of a certificate, at most `mostEntriesOfCertificate`, the first one first. */
  findEntriesOf(jsonHash: string): Promise<readonly LedgerEntry[]>
  findByAsset(
    assetId: string,
    options?: { readonly operation?: 'CREATE' | 'TRANSFER'; readonly onlyLast?: boolean },
  ): Promise<readonly LedgerEntry[]>
  findOutputs(publicKey: string, options?: { readonly spent?: boolean }): Promise<readonly OutputReference[]>
  search(search: LedgerSearch): Promise<readonly LedgerEntry[]>
  /** Proves transactions and statuses. Undefined if the ledger is not a log, or lacks one of the transactions. */
  proveRecords(wanted: WantedProof): Promise<LogEvidence | undefined>
  /** The corrections of a certificate or key, in order. Empty if the ledger is not a log. */
  findCorrections(subject: string): Promise<readonly LedgerEntry[]>
  /** Undefined if the ledger is not a log. */
  readonly operator: LedgerOperator | undefined
  /** Resolves if the ledger answers. Rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}

export class TransactionRefused extends ExplainedError {
  override readonly name = 'TransactionRefused'
  /** `conflict`: an output is already spent. `invalid`: everything else. */
  readonly reason: 'invalid' | 'conflict'

  override readonly because: Reason

  /** A text is what a ledger or a check says. */
  constructor(why: string | Reason, reason: 'invalid' | 'conflict' = 'invalid') {
    super(why)
    this.because = typeof why === 'string' ? because('transaction_refused', { why: why.slice(0, 400) }) : why
    this.reason = reason
  }
}

export class LedgerUnavailable extends ExplainedError {
  override readonly name = 'LedgerUnavailable'
}

/** Its message names the cause and is meant for the caller: what is damaged, or which clock is wrong. */
export class LedgerStopped extends LedgerUnavailable {}
