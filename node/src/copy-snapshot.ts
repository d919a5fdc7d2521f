import { hash } from 'node:crypto'
import { nodePrimitives } from '@millseal/proof/node'
import { type HashIndex, LogRefused, readSnapshot, type ReplayState, writeSnapshot } from '@millseal/replay'
import type { IssuersState } from './issuers.ts'

/** What a copy knows besides its files. Without it, all entries are read again. */
export type CopyState = {
  readonly replay: ReplayState
  readonly salt: string
  /** Finds certificates by the SHA-256 of their PDF. */
  readonly pdfs: HashIndex['state']
  readonly issuers: IssuersState
}

const version = 2
const newline = 0x0a
const wordBytes = 4

/** A line of JSON, the table of PDFs, and the snapshot of the replay. The parts share the memory of the state. */
export const writeCopySnapshot = ({ replay, salt, pdfs, issuers }: CopyState): readonly Uint8Array[] => {
  const { buffer, byteOffset, byteLength } = pdfs.slots
  const table = new Uint8Array(buffer, byteOffset, byteLength)
  const head = { version, salt, issuers, count: pdfs.count, bytes: byteLength, sha256: digestOf(table) }
  const line = Buffer.from(JSON.stringify(head))
  // The tables can be used where they are if they begin at whole words.
  const padding = Buffer.from(`${' '.repeat((wordBytes - ((line.length + 1) % wordBytes)) % wordBytes)}\n`)
  return [line, padding, table, ...writeSnapshot(replay, nodePrimitives)]
}

/** Undefined if the bytes are damaged, or of another version. The state shares their memory. */
export const readCopySnapshot = (bytes: Uint8Array): CopyState | undefined => {
  const end = bytes.indexOf(newline) + 1
  const head = readHead(bytes.subarray(0, end))
  if (head?.version !== version) return undefined
  const table = bytes.subarray(end, end + head.bytes)
  const offset = table.byteOffset
  if (offset % wordBytes !== 0 || table.length !== head.bytes || digestOf(table) !== head.sha256)
    return undefined
  const replay = readReplay(bytes.subarray(end + head.bytes))
  if (replay === undefined) return undefined
  const { salt, issuers, count } = head
  const slots = new Uint32Array(table.buffer, offset, table.length / wordBytes)
  return { replay, salt, issuers, pdfs: { count, slots } }
}

type Head = {
  readonly version: number
  readonly salt: string
  readonly issuers: IssuersState
  readonly count: number
  readonly bytes: number
  readonly sha256: string
}

const readHead = (bytes: Uint8Array): Head | undefined => {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Head
  } catch {
    return undefined
  }
}

const readReplay = (bytes: Uint8Array): ReplayState | undefined => {
  try {
    return readSnapshot(bytes, nodePrimitives)
  } catch (error) {
    if (error instanceof LogRefused) return undefined
    throw error
  }
}

const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')
