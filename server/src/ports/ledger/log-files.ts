/**
 * What a log shows to everybody, as C2SP tlog-tiles lays it out. Files are given out only once a checkpoint covers them,
 * and then they never change.
 */
export interface LogFiles {
  /** Undefined before the log was started for the first time. */
  readCheckpoint(): Promise<string | undefined>
  /** The key that checkpoints are checked with, as C2SP signed-note writes it. */
  readKey(): Promise<string | undefined>
  /** By its path, `tile/…`; undefined for what the log does not have. */
  readTile(path: string): Promise<Uint8Array | undefined>
}
