import { concatBytes, decodeBase64, encodeBase64, type Hashing, type TreeEdge } from '@millseal/proof'
import { LogRefused } from './log-refused.ts'
import type { ReplayState } from './replay.ts'

const version = 1
const checksumBytes = 32
const wordBytes = 4
const newline = 0x0a

/**
 * A line of JSON, the numbers of the tables in the byte order of nearly all machines, and the SHA-256 of both. Not a format
 * for exchange: without it, a holder reads the entries again.
 */
export const writeSnapshot = (state: ReplayState, { sha256 }: Hashing): Uint8Array => {
  const { ids, certificates, signerOf } = state.recorded
  const tables = [ids.slots, certificates.slots, signerOf]
  const head = headOf(state)
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`)
  const body = concatBytes(line, ...tables.map(bytesOf))
  return concatBytes(body, sha256(body))
}

/** Throws `LogRefused` if the bytes are damaged, or of another version. */
export const readSnapshot = (bytes: Uint8Array, { sha256 }: Hashing): ReplayState => {
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumBytes))
  const checksum = sha256(body)
  if (!bytes.subarray(body.length).every((byte, at) => byte === checksum[at]) || bytes.length < checksumBytes)
    throw new LogRefused('The snapshot is damaged')
  const end = body.indexOf(newline)
  const head: ReturnType<typeof headOf> = JSON.parse(new TextDecoder().decode(body.subarray(0, end)))
  if (head.version !== version) throw new LogRefused('The snapshot is of another version')
  const { operator, newest, corrections, salt, beside, signers, spent, counts, words } = head
  let at = end + 1
  const read = (length: number): Uint32Array => {
    // A copy, because numbers begin at whole words; `slice` of a Buffer is none.
    const table = new Uint8Array(body.subarray(at, at + length * wordBytes))
    at += table.length
    return new Uint32Array(table.buffer)
  }
  return {
    operator,
    newest,
    corrections,
    tree: treeOf(head.tree),
    recorded: {
      salt,
      beside,
      signers,
      spent,
      ids: { count: counts.ids, slots: read(words.ids) },
      certificates: { count: counts.certificates, slots: read(words.certificates) },
      signerOf: read(words.signerOf),
    },
  }
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
