import type { Primitives } from '../primitives.ts'
import { encodeBase64 } from '../encoding/base64.ts'
import { readBase64 } from './base64.ts'
import { type Hash, hashBytes } from './merkle-hash.ts'
import { type NoteKey, NoteRefused, type NoteSigner, signNote, verifyNote } from './note.ts'

/** The head of a log: how many entries it has, and the one hash that stands for all of them. */
export type Checkpoint = {
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

/** C2SP tlog-checkpoint. */
export const writeCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`

/** Lines after the third say nothing that is known here and are left alone, as C2SP tlog-checkpoint allows them. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin = '', size = '', encoded = '', ...rest] = text.split('\n')
  const root = readBase64(encoded)
  const isWhole = rest.at(-1) === '' && rest.slice(0, -1).every((line) => line !== '')
  if (!isWhole || origin === '' || root?.length !== hashBytes || !isDecimal(size)) {
    throw new NoteRefused('Not a checkpoint of a log')
  }
  return { origin, size: Number(size), root }
}

export const isDecimal = (text: string): boolean =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

export const signCheckpoint = (checkpoint: Checkpoint, signer: NoteSigner): Promise<string> =>
  signNote(writeCheckpoint(checkpoint), signer)

/** Throws `NoteRefused` unless the log itself, which is the key of that name, has signed. */
export const verifyCheckpoint = (
  note: string,
  key: NoteKey,
  primitives: Pick<Primitives, 'verifyEd25519'>,
): Checkpoint => {
  const checkpoint = parseCheckpoint(verifyNote(note, [key], primitives).text)
  if (checkpoint.origin !== key.name) {
    throw new NoteRefused(`The checkpoint is that of ${checkpoint.origin}, not of ${key.name}`)
  }
  return checkpoint
}
