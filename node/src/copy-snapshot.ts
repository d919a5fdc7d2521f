import { hash } from 'node:crypto'
import { concatBytes } from '@millseal/proof'
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

const version = 1
const newline = 0x0a
const wordBytes = 4

/** A line of JSON, the table of PDFs, and the snapshot of the replay. */
export const writeCopySnapshot = ({ replay, salt, pdfs, issuers }: CopyState): Uint8Array => {
  const { buffer, byteOffset, byteLength } = pdfs.slots
  const table = new Uint8Array(buffer, byteOffset, byteLength)
  const head = { version, salt, issuers, count: pdfs.count, bytes: byteLength, sha256: digestOf(table) }
  return concatBytes(Buffer.from(`${JSON.stringify(head)}\n`), table, writeSnapshot(replay, nodePrimitives))
}

/** Undefined if the bytes are damaged, or of another version. */
export const readCopySnapshot = (bytes: Uint8Array): CopyState | undefined => {
  const end = bytes.indexOf(newline)
  const head = readHead(bytes.subarray(0, end))
  if (head?.version !== version) return undefined
  // A copy, because numbers begin at whole words.
  const table = new Uint8Array(bytes.subarray(end + 1, end + 1 + head.bytes))
  if (table.length % wordBytes !== 0 || digestOf(table) !== head.sha256) return undefined
  const replay = readReplay(bytes.subarray(end + 1 + head.bytes))
  if (replay === undefined) return undefined
  const { salt, issuers, count } = head
  return { replay, salt, issuers, pdfs: { count, slots: new Uint32Array(table.buffer) } }
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
