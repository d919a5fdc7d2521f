import type { Primitives } from '../primitives.ts'
import { encodeBase64 } from '../encoding/base64.ts'
import { readBase64 } from './base64.ts'
import { type Checkpoint, isDecimal, verifyCheckpoint } from './checkpoint.ts'
import { verifyInclusion } from './inclusion.ts'
import { type Hash, hashBytes, leafHash } from './merkle-hash.ts'
import { type NoteKey, NoteRefused } from './note.ts'

/** C2SP tlog-proof: that an entry is in a log, checked with nothing but the log's public key. */
export type TlogProof = {
  readonly index: number
  readonly path: readonly Hash[]
  /** The signed checkpoint, verbatim. */
  readonly checkpoint: string
}

const firstLine = 'c2sp.org/tlog-proof@v1'
/** No tree whose size is a safe integer has a longer path. */
const maxPathLength = 53

export const writeTlogProof = ({ index, path, checkpoint }: TlogProof): string =>
  [firstLine, `index ${index}`, ...path.map(encodeBase64), '', checkpoint].join('\n')

/** The optional extra data is skipped: nobody has signed it. */
export const parseTlogProof = (text: string): TlogProof => {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== firstLine) throw new NoteRefused('Not a proof of a transparency log')
  if (lines[0]?.startsWith('extra ') === true) lines.shift()
  const [, index = ''] = /^index (\d+)$/.exec(lines.shift() ?? '') ?? []
  if (!isDecimal(index) || lines.length > maxPathLength) {
    throw new NoteRefused('The proof has no index, or too long a path')
  }
  const path = lines.map((line) => {
    const hash = readBase64(line)
    if (hash?.length !== hashBytes) throw new NoteRefused('The path of the proof cannot be read')
    return hash
  })
  return { index: Number(index), path, checkpoint: text.slice(end + 2) }
}

export type ProvenEntry = { readonly index: number; readonly checkpoint: Checkpoint }

/** Throws `NoteRefused` saying what is wrong: the text, the signature of the checkpoint, or the path to its root. */
export const verifyTlogProof = (
  { proof, entry, key }: { readonly proof: string; readonly entry: Uint8Array; readonly key: NoteKey },
  primitives: Pick<Primitives, 'sha256' | 'verifyEd25519'>,
): ProvenEntry => {
  const { index, path, checkpoint: note } = parseTlogProof(proof)
  const checkpoint = verifyCheckpoint(note, key, primitives)
  const { size, root } = checkpoint
  if (!verifyInclusion({ index, size, leaf: leafHash(entry, primitives), path, root }, primitives)) {
    throw new NoteRefused('The path of the proof does not lead from the entry to the root of the checkpoint')
  }
  return { index, checkpoint }
}
