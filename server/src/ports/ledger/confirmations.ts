import type { LogEvidence, WantedProof } from './ledger.ts'

export type Confirmed = {
  /** When this service had the signatures of a quorum. */
  readonly at: Date
  /** The names of the cosigners, as in the confirmed checkpoint. */
  readonly by: readonly string[]
}

/** One cosigner of a log. */
export type Holder = {
  /** In the policy. */
  readonly name: string
  /** Of its key. */
  readonly keyName: string
  /** Undefined if it never signed a checkpoint of this log. */
  readonly held:
    | {
        readonly since: Date
        /** How many entries the newest checkpoint has that it signed, and when. */
        readonly size: number
        readonly signedAt: Date
      }
    | undefined
}

/** Which entries of a log a quorum of its cosigners has confirmed, as every process of the installation knows it. */
export interface Confirmations {
  /** By transaction. Those that are not confirmed, or not in this log, are missing. */
  find(transactionIds: readonly string[]): Promise<ReadonlyMap<string, Confirmed>>
  /** How many entries are confirmed. */
  readSize(): Promise<number>
  /** Rejects with the reason if checkpoints are not confirmed any more. */
  check(): Promise<void>
  /** Every cosigner of the policy, as every process of the installation knows it. */
  readHolders(): Promise<readonly Holder[]>
  /**
   * Proves transactions and statuses against the newest confirmed checkpoint. Undefined if it does not cover them, or says
   * less of their status than the newest one: a correction came after it, or it is more than 25 hours older.
   */
  prove(wanted: WantedProof): Promise<LogEvidence | undefined>
  /** How many cosigners have signed a checkpoint, and how many there are. */
  count(checkpoint: string): { readonly signed: number; readonly of: number }
  /** Looks now, and after each confirmation, until there is an answer. Looks once more when the signal aborts. */
  until<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined>
}
