import type { SignatureVerifying } from '../primitives.ts'
import { publicKeyOfDid } from '../identity/did-key.ts'
import { equalBytes } from '../encoding/bytes.ts'
import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { type Hash, hashBytes } from './merkle-hash.ts'
import { type NoteKey, NoteRefused, type NoteSigner, signNote, verifyNote } from './note.ts'

/** A Merkle tree: the number of leaves, and the root hash of all of them. */
export type TreeHead = { readonly size: number; readonly root: Hash }

export const isSameHead = (one: TreeHead, other: TreeHead): boolean =>
  one.size === other.size && equalBytes(one.root, other.root)

/** The head of a log. The optional parts are extension lines (docs/bundle.md). */
export type Checkpoint = TreeHead & {
  readonly origin: string
  /** When it was signed, not before the time of any entry. */
  readonly time?: string | undefined
  /** The DID of the key that signs reviews and corrections for the operator of the log. */
  readonly operator?: string | undefined
  /** The tree that says which certificates and keys have corrections. */
  readonly status?: TreeHead | undefined
}

const timeLine = 'millseal-time '
const operatorLine = 'millseal-operator '
const statusLine = 'millseal-status '

/** C2SP tlog-checkpoint. */
export const writeCheckpoint = ({ origin, size, root, time, operator, status }: Checkpoint): string =>
  [
    origin,
    `${size}`,
    encodeBase64(root),
    ...(time === undefined ? [] : [timeLine + time]),
    ...(operator === undefined ? [] : [operatorLine + operator]),
    ...(status === undefined ? [] : [`${statusLine}${status.size} ${encodeBase64(status.root)}`]),
    '',
  ].join('\n')

/** Ignores extension lines that it does not know, which C2SP tlog-checkpoint allows. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin = '', size = '', encoded = '', ...rest] = text.split('\n')
  const extensions = rest.slice(0, -1)
  const isWhole = rest.at(-1) === '' && extensions.every((line) => line !== '')
  if (!isWhole || origin === '') throw new NoteRefused('This is not a checkpoint of a log')
  const time = valueOf(extensions, timeLine)
  const operator = valueOf(extensions, operatorLine)
  const status = valueOf(extensions, statusLine)
  if (time !== undefined && !isLogTime(time)) throw new NoteRefused('The checkpoint has a malformed time')
  if (operator !== undefined && !isDid(operator))
    throw new NoteRefused('The checkpoint has a malformed operator')
  return {
    origin,
    ...readHead(size, encoded),
    time,
    operator,
    status: status === undefined ? undefined : readStatus(status),
  }
}

const valueOf = (lines: readonly string[], name: string): string | undefined => {
  const found = lines.filter((line) => line.startsWith(name))
  if (found.length > 1) throw new NoteRefused(`The checkpoint has more than one line "${name.trim()}"`)
  return found[0]?.slice(name.length)
}

const readHead = (size: string, encoded: string): TreeHead => {
  const root = tryDecodeBase64(encoded)
  if (root?.length !== hashBytes || !isDecimal(size))
    throw new NoteRefused('This is not a checkpoint of a log')
  return { size: Number(size), root }
}

const readStatus = (value: string): TreeHead => {
  const [size = '', encoded = '', ...others] = value.split(' ')
  if (others.length > 0) throw new NoteRefused('The checkpoint has a malformed status')
  return readHead(size, encoded)
}

const isDid = (text: string): boolean => {
  try {
    publicKeyOfDid(text)
    return true
  } catch {
    return false
  }
}

/** RFC 3339 in UTC with milliseconds: each time has one spelling, and times sort as text. */
export const isLogTime = (text: string): boolean => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && text.length === 24
}

export const isDecimal = (text: string): boolean =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

export const signCheckpoint = (checkpoint: Checkpoint, signer: NoteSigner): Promise<string> =>
  signNote(writeCheckpoint(checkpoint), signer)

/** The checkpoint of a signed note whose signatures the caller does not need, or verifies elsewhere. */
export const checkpointIn = (note: string): Checkpoint =>
  parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))

/** The first line of a checkpoint names its log, and the key that signs it. */
export const originOf = (note: string): string => note.split('\n', 1)[0] ?? ''

/** Throws `NoteRefused` if the log itself has not signed the checkpoint, or a signature of another known key is wrong. */
export const verifyCheckpoint = (
  note: string,
  known: NoteKey | readonly NoteKey[],
  primitives: SignatureVerifying,
): Checkpoint => {
  const { text, signedBy } = verifyNote(note, [known].flat(), primitives)
  const checkpoint = parseCheckpoint(text)
  if (!signedBy.some(({ name }) => name === checkpoint.origin))
    throw new NoteRefused(`The log ${checkpoint.origin} has not signed it`)
  return checkpoint
}
