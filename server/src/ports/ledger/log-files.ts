import type { ProvenStamp } from '@millseal/proof'

/** The public files of a log in the layout of C2SP tlog-tiles. Only files that a checkpoint covers are served, and those never change. */
export interface LogFiles {
  /** The newest one, with the signatures of cosigners that were collected for it. Undefined if the log was never started. */
  readCheckpoint(): Promise<string | undefined>
  /** The key that verifies checkpoints, in the form of C2SP signed-note. */
  readKey(): Promise<string | undefined>
  /** Of an earlier name of the log, by its number. */
  readFrozen(number: number): Promise<{ readonly checkpoint: string; readonly vkey: string } | undefined>
  /** By its path, `tile/…`. Undefined if the log does not have the file. */
  readTile(path: string): Promise<Uint8Array | undefined>
  /** The newest checkpoint that a quorum of cosigners has signed, with their signatures. Undefined if there is none. */
  readConfirmed(): Promise<string | undefined>
  /** A tile of that checkpoint, by its path. */
  readConfirmedTile(path: string): Promise<Uint8Array | undefined>
  /**
   * The earliest time stamp of each authority about a checkpoint that covers the entry with this index. Undefined if the log
   * does not have the entry.
   */
  proveStamps(index: number): Promise<readonly ProvenStamp[] | undefined>
}
