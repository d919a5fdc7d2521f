import {
  type Checkpoint,
  entriesPath,
  type Hash,
  leafHash,
  proveConsistency,
  proveInclusion,
  readEntries,
  readNodesFromTiles,
  readRoot,
  tileWidth,
  verifyConsistency,
  verifyInclusion,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type HttpLog, LogMalformed, LogUnreachable } from './http-log.ts'

/** What is read from a log of others, to check it against a checkpoint that the log has signed. */
export type SourceLog = ReturnType<typeof createSourceLog>

export const createSourceLog = (log: HttpLog) => {
  const sourceOf = (size: number) => ({
    read: readNodesFromTiles({ size, readTile: log.readTile }),
    hashing: nodePrimitives,
  })
  return {
    readCheckpoint: log.readCheckpoint,
    /** The entries from `from` up to, not including, `to`, of a log of `size` entries. Not verified. */
    async readEntries({
      from,
      to,
      size,
    }: {
      readonly from: number
      readonly to: number
      readonly size: number
    }): Promise<readonly Uint8Array[]> {
      const first = Math.floor(from / tileWidth)
      const count = Math.ceil(to / tileWidth) - first
      const bundles = Array.from({ length: count }, (_, at) => readBundle(log, { index: first + at, size }))
      return (await Promise.all(bundles)).flat().slice(from - first * tileWidth, to - first * tileWidth)
    },
    async proveConsistency(growth: {
      readonly oldSize: number
      readonly newSize: number
    }): Promise<readonly Hash[]> {
      const { oldSize, newSize } = growth
      return oldSize === 0 || oldSize >= newSize ? [] : await proveConsistency(growth, sourceOf(newSize))
    },
    /** What the log shows of its first `size` entries: their root, and the proof that they are those of the checkpoint. */
    async proveBeginning(size: number, { size: newSize, root: newRoot }: Checkpoint) {
      const source = sourceOf(newSize)
      const root = await readRoot(size, source)
      const growth = { oldSize: size, newSize }
      const proof = await proveConsistency(growth, source)
      if (!verifyConsistency({ ...growth, oldRoot: root, newRoot, proof }, nodePrimitives))
        throw new LogMalformed('The tiles that the log serves are not those of its checkpoint')
      return { root, proof }
    },
    /** The inclusion proof of this entry. */
    async proveEntry(entry: Uint8Array, index: number, { size, root }: Checkpoint): Promise<readonly Hash[]> {
      const path = await proveInclusion({ index, size }, sourceOf(size))
      const leaf = leafHash(entry, nodePrimitives)
      if (!verifyInclusion({ index, size, leaf, path, root }, nodePrimitives))
        throw new LogMalformed(`The entry ${index} that the log serves is not that of its checkpoint`)
      return path
    },
  }
}

/** A log may delete a partial bundle once the full one exists. */
const readBundle = async (
  log: HttpLog,
  { index, size }: { readonly index: number; readonly size: number },
): Promise<readonly Uint8Array[]> => {
  const width = Math.min(tileWidth, size - index * tileWidth)
  const path = entriesPath({ index, width })
  const bytes =
    (await log.readFile(path)) ??
    (width === tileWidth ? undefined : await log.readFile(entriesPath({ index, width: tileWidth })))
  if (bytes === undefined) throw new LogUnreachable(`${log.url}/${path} does not exist (status 404)`)
  const entries = readEntries(bytes)
  if (entries === undefined || entries.length < width) throw new LogMalformed(`${path} is malformed`)
  return entries.slice(0, width)
}
