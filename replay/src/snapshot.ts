import { concatBytes, decodeBase64, encodeBase64, type Hashing, type TreeEdge } from '@millseal/proof'
import { LogRefused } from './log-refused.ts'
import type { ReplayState } from './replay.ts'

const version = 3
const checksumBytes = 32
const wordBytes = 4
const newline = 0x0a

/**
 * A line of JSON, the numbers of the tables in the byte order of nearly all machines, and the SHA-256 of their hashes. Not a
 * format for exchange: without it, a holder reads the entries again. The parts share the memory of the state.
 */
export const writeSnapshot = (state: ReplayState, hashing: Hashing): readonly Uint8Array[] => {
  const { ids, certificates, signerOf } = state.recorded
  const tables = [ids.slots, certificates.slots, signerOf]
  const parts = [wholeWords(JSON.stringify(headOf(state))), ...tables.map(bytesOf)]
  return [...parts, checksumOf(parts, hashing)]
}

/** A line that ends at a whole word, so that the tables after it can be used where they are. */
const wholeWords = (text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / wordBytes) * wordBytes).fill(0x20)
  padded.set(bytes)
  padded[padded.length - 1] = newline
  return padded
}

const checksumOf = (parts: readonly Uint8Array[], { sha256 }: Hashing): Uint8Array =>
  sha256(concatBytes(...parts.map(sha256)))

/** Throws `LogRefused` if the bytes are damaged, or of another version. The state shares their memory. */
export const readSnapshot = (bytes: Uint8Array, hashing: Hashing): ReplayState => {
  const end = bytes.indexOf(newline) + 1
  const head = readHead(bytes.subarray(0, end))
  const { operator, newest, stated, corrections, salt, beside, signers, spent, counts, words } = head
  let at = end
  const read = (length: number): Uint32Array => {
    const table = wordsAt(bytes, at, length)
    at += length * wordBytes
    return table
  }
  const slots = {
    ids: read(words.ids),
    certificates: read(words.certificates),
    signerOf: read(words.signerOf),
  }
  const parts = [bytes.subarray(0, end), ...Object.values(slots).map(bytesOf)]
  const checksum = checksumOf(parts, hashing)
  if (
    bytes.length !== at + checksumBytes ||
    !bytes.subarray(at).every((byte, place) => byte === checksum[place])
  )
    throw damaged()
  return {
    operator,
    newest,
    stated,
    corrections,
    tree: treeOf(head.tree),
    recorded: {
      salt,
      beside,
      signers,
      spent,
      ids: { count: counts.ids, slots: slots.ids },
      certificates: { count: counts.certificates, slots: slots.certificates },
      signerOf: slots.signerOf,
    },
  }
}

const damaged = (): LogRefused => new LogRefused('The snapshot is damaged')

/** Not verified yet. */
const readHead = (line: Uint8Array): ReturnType<typeof headOf> => {
  let head: ReturnType<typeof headOf>
  try {
    head = JSON.parse(new TextDecoder().decode(line))
  } catch {
    throw damaged()
  }
  if (head.version !== version) throw new LogRefused('The snapshot is of another version')
  return head
}

const wordsAt = (bytes: Uint8Array, at: number, length: number): Uint32Array => {
  const end = at + length * wordBytes
  if (!(end <= bytes.length)) throw damaged()
  const offset = bytes.byteOffset + at
  if (offset % wordBytes === 0) return new Uint32Array(bytes.buffer, offset, length)
  // `slice` of a Buffer copies nothing.
  return new Uint32Array(new Uint8Array(bytes.subarray(at, end)).buffer)
}

const headOf = ({ recorded, tree, ...rest }: ReplayState) => {
  const { ids, certificates, signerOf, ...others } = recorded
  return {
    version,
    ...rest,
    ...others,
    tree: textOf(tree),
    counts: { ids: ids.count, certificates: certificates.count },
    words: { ids: ids.slots.length, certificates: certificates.slots.length, signerOf: signerOf.length },
  }
}

const textOf = ({ size, peaks, tiles }: TreeEdge) => ({
  size,
  peaks: peaks.map(encodeBase64),
  tiles: tiles.map((hashes) => hashes.map(encodeBase64)),
})

const treeOf = ({ size, peaks, tiles }: ReturnType<typeof textOf>): TreeEdge => ({
  size,
  peaks: peaks.map(decodeBase64),
  tiles: tiles.map((hashes) => hashes.map(decodeBase64)),
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
