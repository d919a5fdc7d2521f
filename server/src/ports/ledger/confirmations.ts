export type Confirmed = {
  /** When this service had the signatures of a quorum. */
  readonly at: Date
  /** The names of the cosigners, as in the confirmed checkpoint. */
  readonly by: readonly string[]
}

/** Which entries of a log a quorum of its cosigners has confirmed, as every process of the installation knows it. */
export interface Confirmations {
  /** By transaction. Those that are not confirmed, or not in this log, are missing. */
  find(transactionIds: readonly string[]): Promise<ReadonlyMap<string, Confirmed>>
}
