import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Checkpoint,
  createStatusTree,
  decodeBase58,
  emptyTree,
  formatNoteKey,
  growTree,
  type Hash,
  leafHash,
  noteKey,
  parseTilePath,
  proveConsistency,
  readCorrection,
  readNodesFromTiles,
  nodesOf,
  rootOf,
  signCheckpoint,
  type SignedTransaction,
  subjectOf,
  tileWidth,
  type TreeHead,
  writeEntries,
  writeLogEntry,
  writeStateLeaf,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { didOfOwner } from '@millseal/proof/testing'
import { ownerOf } from './owners.ts'

export const operator = ownerOf(202)

/** A transaction with its time, or the time of a state leaf. */
type Line = readonly [SignedTransaction, string] | string

/** A log that signs and serves what it is given, honest or not. */
export type Source = AsyncDisposable & {
  readonly vkey: string
  readonly url: string
  /** What it serves from now on. */
  serve(lines: readonly Line[], says?: Partial<Checkpoint>): Promise<string>
  /** The signed checkpoint of these entries. */
  sign(lines: readonly Line[], says?: Partial<Checkpoint>): Promise<string>
  /** The body of `add-checkpoint`. */
  request(old: number, lines: readonly Line[], says?: Partial<Checkpoint>): Promise<string>
  /** What is done to each file before it is sent. */
  spoil: ((path: string, bytes: Uint8Array) => Uint8Array | undefined) | undefined
}

export const startSource = async (origin: string, seed = 201): Promise<Source> => {
  const owner = ownerOf(seed)
  const key = noteKey(origin, decodeBase58(owner.publicKey), nodePrimitives)
  let served: { readonly note: string; readonly entries: readonly Uint8Array[] } = { note: '', entries: [] }

  const sign = (lines: readonly Line[], says: Partial<Checkpoint> = {}): Promise<string> =>
    signCheckpoint({ ...checkpointOf(origin, lines), ...says }, { key, sign: owner.sign })
  const state: { spoil: Source['spoil'] } = { spoil: undefined }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    const found = path === 'checkpoint' ? Buffer.from(served.note) : fileOf(served.entries, path)
    const bytes = found && state.spoil !== undefined ? state.spoil(path, found) : found
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    vkey: formatNoteKey(key),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sign,
    async serve(lines, says) {
      served = { entries: entriesOf(lines), note: await sign(lines, says) }
      return served.note
    },
    async request(old, lines, says) {
      const hashes = await consistencyOf(entriesOf(lines), Math.min(old, lines.length))
      const proof = hashes.map((hash) => Buffer.from(hash).toString('base64'))
      return [`old ${old}`, ...proof, '', await sign(lines, says)].join('\n')
    },
    get spoil() {
      return state.spoil
    },
    set spoil(spoil) {
      state.spoil = spoil
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Remembers results of an object that never changes. */
const remembered = <Given extends object, Made>(make: (given: Given) => Made): ((given: Given) => Made) => {
  const known = new WeakMap<Given, Made>()
  return (given) => {
    const made = known.get(given) ?? make(given)
    known.set(given, made)
    return made
  }
}

const entryOf = remembered(([transaction, time]: Exclude<Line, string>) =>
  writeLogEntry({ transaction, time }),
)
const leafOf = remembered((entry: Uint8Array) => leafHash(entry, nodePrimitives))

const entriesOf = (lines: readonly Line[]): Uint8Array[] =>
  lines.map((line, at) =>
    typeof line === 'string'
      ? writeStateLeaf({ time: line, operator: didOfOwner(operator), status: statusOf(lines.slice(0, at)) })
      : entryOf(line),
  )

const statusOf = (lines: readonly Line[]): TreeHead => {
  const status = createStatusTree(nodePrimitives)
  for (const [index, line] of lines.entries()) {
    const correction = typeof line === 'string' ? undefined : readCorrection(line[0])
    if (correction !== undefined) status.add(subjectOf(correction), index)
  }
  return status.head
}

const checkpointOf = (origin: string, lines: readonly Line[]): Checkpoint => {
  const root = rootOf(treeOf(entriesOf(lines)).tree, nodePrimitives)
  const last = lines.at(-1)
  const time = typeof last === 'string' ? last : last?.[1]
  const status = statusOf(lines)
  return { origin, size: lines.length, root, time, operator: didOfOwner(operator), status }
}

const treeOf = (entries: readonly Uint8Array[]) => growTree(emptyTree, entries.map(leafOf), nodePrimitives)

const hashesAt = (
  entries: readonly Uint8Array[],
  place: { readonly level: number; readonly index: number },
): readonly Hash[] =>
  treeOf(entries).changed.find(({ level, index }) => level === place.level && index === place.index)
    ?.hashes ?? []

const fileOf = (entries: readonly Uint8Array[], path: string): Uint8Array | undefined => {
  const address = parseTilePath(path)
  if (address === undefined) return undefined
  const { level, index, width } = address
  const rows =
    level === 'entries'
      ? entries.slice(index * tileWidth, index * tileWidth + width)
      : hashesAt(entries, { level, index }).slice(0, width)
  if (rows.length < width) return undefined
  return level === 'entries' ? writeEntries(rows) : Buffer.concat(rows)
}

const consistencyOf = (entries: readonly Uint8Array[], oldSize: number): Promise<Hash[]> =>
  proveConsistency(
    { oldSize, newSize: entries.length },
    {
      hashing: nodePrimitives,
      read: readNodesFromTiles({
        size: entries.length,
        readTile: async (place) => nodesOf(hashesAt(entries, place), nodePrimitives),
      }),
    },
  )
