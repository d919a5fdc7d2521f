import {
  type Checkpoint,
  type Hash,
  NoteRefused,
  type NoteKey,
  originOf,
  plainLine,
  proveConsistency,
  readNodesFromTiles,
  readRoot,
  verifyCheckpoint,
  verifyConsistency,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type HttpLog, LogMalformed } from '@millseal/node/http-log'

/** A checkpoint with the note that its log signed. */
export type SignedCheckpoint = Checkpoint & { readonly note: string }

/** Two checkpoints that cannot belong to one growing log, both verbatim: evidence that anyone can check. */
export class LogsApart extends Error {
  override readonly name = 'LogsApart'
  readonly known: string | undefined
  readonly served: string
  constructor(
    reason: string,
    { known, served }: { readonly known: string | undefined; readonly served: string },
  ) {
    super(reason)
    this.known = known
    this.served = served
  }
}

/** The address serves a log with another name, for example one that continues the known log. That proves nothing against it. */
export class LogRenamed extends LogsApart {}

/** Throws `NoteRefused` if the key has not signed it. */
export const readSigned = (note: string, key: NoteKey): SignedCheckpoint => ({
  ...verifyCheckpoint(note, key, nodePrimitives),
  note,
})

/**
 * Reads the newest checkpoint of a log and proves that the log only grew since each of the known ones. Throws
 * `LogsApart` if it did not, or does not prove it.
 */
export const readContinuation = async (
  log: HttpLog,
  { known, key }: { readonly known: readonly SignedCheckpoint[]; readonly key: NoteKey },
): Promise<SignedCheckpoint> => {
  const served = await log.readCheckpoint()
  const [first] = known
  const name = originOf(served)
  if (first !== undefined && name !== key.name)
    throw new LogRenamed(`This address serves the log ${plainLine(name, 200)} now, not ${key.name}`, {
      known: first.note,
      served,
    })
  try {
    const newest = readSigned(served, key)
    for (const older of known) {
      const reason = await whyApart({ older, newest }, log)
      if (reason !== undefined) throw new LogsApart(reason, { known: older.note, served })
    }
    return newest
  } catch (error) {
    const isRefusal = error instanceof NoteRefused || error instanceof LogMalformed
    throw isRefusal ? new LogsApart(error.message, { known: first?.note, served }) : error
  }
}

type Pair = { readonly older: Checkpoint; readonly newest: Checkpoint }

const whyApart = async ({ older, newest }: Pair, log: HttpLog): Promise<string | undefined> => {
  const simple = contradiction({ older, newest })
  if (simple !== undefined || older.size === 0 || older.size === newest.size) return simple
  const read = readNodesFromTiles({ size: newest.size, readTile: log.readTile })
  const source = { read, hashing: nodePrimitives }
  const growth = { oldSize: older.size, newSize: newest.size }
  const proof = await proveConsistency(growth, source)
  const joins = (oldRoot: Hash): boolean =>
    verifyConsistency({ ...growth, oldRoot, newRoot: newest.root, proof }, nodePrimitives)
  if (joins(older.root)) return undefined
  return joins(await readRoot(older.size, source))
    ? `The first ${older.size} entries of the log are not the ones it had`
    : 'The tiles that the log serves do not belong to its checkpoint, so it does not prove that it only grew'
}

const contradiction = ({ older, newest }: Pair): string | undefined => {
  if (newest.size < older.size)
    return `The log has become shorter: it had ${older.size} entries and has ${newest.size}`
  const isSameSize = newest.size === older.size
  if (isSameSize && !Buffer.from(newest.root).equals(older.root))
    return `The log has signed two different trees of ${older.size} entries`
  if (older.time !== undefined && (newest.time === undefined || newest.time < older.time))
    return `The time of the log went backwards, from ${older.time} to ${newest.time ?? 'none'}`
  if (older.operator !== undefined && newest.operator !== older.operator)
    return `The log names another operator: it had ${older.operator} and has ${newest.operator ?? 'none'}`
  if (older.status !== undefined) {
    const { status } = newest
    if (status === undefined || status.size < older.status.size)
      return 'The log has lost corrections: its status tree has become shorter'
    const isOther = status.size !== older.status.size || !Buffer.from(status.root).equals(older.status.root)
    if (isSameSize && isOther)
      return `The log has signed two different status trees for ${older.size} entries`
  }
  return undefined
}
