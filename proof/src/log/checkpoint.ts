import type { SignatureVerifying } from '../primitives.ts'
import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { type Hash, hashBytes } from './merkle-hash.ts'
import { type NoteKey, NoteRefused, type NoteSigner, signNote, verifyNote } from './note.ts'

/** The head of a log: the number of entries, and the root hash of all of them. */
export type Checkpoint = {
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

/** C2SP tlog-checkpoint. */
export const writeCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`

/** Ignores extension lines, which C2SP tlog-checkpoint allows. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin = '', size = '', encoded = '', ...rest] = text.split('\n')
  const root = tryDecodeBase64(encoded)
  const isWhole = rest.at(-1) === '' && rest.slice(0, -1).every((line) => line !== '')
  if (!isWhole || origin === '' || root?.length !== hashBytes || !isDecimal(size)) {
    throw new NoteRefused('This is not a checkpoint of a log')
  }
  return { origin, size: Number(size), root }
}

export const isDecimal = (text: string): boolean =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

export const signCheckpoint = (checkpoint: Checkpoint, signer: NoteSigner): Promise<string> =>
  signNote(writeCheckpoint(checkpoint), signer)

/** Throws `NoteRefused` if the log itself has not signed the checkpoint. */
export const verifyCheckpoint = (note: string, key: NoteKey, primitives: SignatureVerifying): Checkpoint => {
  const checkpoint = parseCheckpoint(verifyNote(note, [key], primitives).text)
  if (checkpoint.origin !== key.name) {
    throw new NoteRefused(`The checkpoint belongs to the log ${checkpoint.origin}, not to ${key.name}`)
  }
  return checkpoint
}
