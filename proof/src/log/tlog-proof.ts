import type { Hashing, SignatureVerifying } from '../primitives.ts'
import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { type Checkpoint, isDecimal, verifyCheckpoint } from './checkpoint.ts'
import { verifyInclusion } from './inclusion.ts'
import { type Hash, hashBytes, leafHash } from './merkle-hash.ts'
import { type NoteKey, NoteRefused } from './note.ts'

/** C2SP tlog-proof: proves that an entry is in a log. Needs only the public key of the log. */
export type TlogProof = {
  readonly index: number
  readonly path: readonly Hash[]
  /** The signed checkpoint, verbatim. */
  readonly checkpoint: string
}

export type ReadTlogProof = TlogProof & {
  /** Whether it has the optional extra data, which is not signed. */
  readonly hasExtra: boolean
}

const firstLine = 'c2sp.org/tlog-proof@v1'
/** The longest path in a tree whose size is a safe integer. */
const maxPathLength = 53

export const writeTlogProof = ({ index, path, checkpoint }: TlogProof): string =>
  [firstLine, `index ${index}`, ...path.map(encodeBase64), '', checkpoint].join('\n')

export const parseTlogProof = (text: string): ReadTlogProof => {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== firstLine) throw new NoteRefused('This is not a proof of a transparency log')
  const hasExtra = lines[0]?.startsWith('extra ') === true
  if (hasExtra) lines.shift()
  const [, index = ''] = /^index (\d+)$/.exec(lines.shift() ?? '') ?? []
  if (!isDecimal(index) || lines.length > maxPathLength) {
    throw new NoteRefused('The proof has no index, or its path is too long')
  }
  const path = lines.map((line) => {
    const hash = tryDecodeBase64(line)
    if (hash?.length !== hashBytes) throw new NoteRefused('The path of the proof is malformed')
    return hash
  })
  return { index: Number(index), path, checkpoint: text.slice(end + 2), hasExtra }
}

export type ProvenEntry = { readonly index: number; readonly checkpoint: Checkpoint }

/** Throws `NoteRefused` if the text, the signature of the checkpoint, or the path to its root is wrong. */
export const verifyTlogProof = (
  {
    proof,
    entry,
    key,
  }: {
    readonly proof: string
    readonly entry: Uint8Array
    readonly key: NoteKey | readonly NoteKey[]
  },
  primitives: Hashing & SignatureVerifying,
): ProvenEntry => {
  const { index, path, checkpoint: note } = parseTlogProof(proof)
  const checkpoint = verifyCheckpoint(note, key, primitives)
  const { size, root } = checkpoint
  if (!verifyInclusion({ index, size, leaf: leafHash(entry, primitives), path, root }, primitives)) {
    throw new NoteRefused('The proof does not connect the entry with the root of the checkpoint')
  }
  return { index, checkpoint }
}
