import type { Hashing, SignatureVerifying } from '../primitives.ts'
import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { concatBytes, equalBytes, utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'

/** A public key and its name. C2SP signed-note, signature type 0x01 (Ed25519). */
export type NoteKey = {
  readonly name: string
  /** The first four bytes of SHA-256(name || 0x0A || 0x01 || public key). */
  readonly keyId: Uint8Array
  readonly publicKey: Uint8Array
}

export type NoteSignature = {
  readonly name: string
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] }

export class NoteRefused extends Error {
  override readonly name = 'NoteRefused'
}

const ed25519 = 0x01
const keyIdBytes = 4
const publicKeyBytes = 32
const newline = 0x0a
const firstPrintable = 0x20
/** C2SP signed-note requires at least 16. */
const maxSignatures = 64
const maxNoteLength = 1_000_000

/** C2SP signed-note: its id depends on the type, so that a signature of one type never counts as one of another. */
export const noteKey = (
  name: string,
  publicKey: Uint8Array,
  { sha256 }: Hashing,
  type: number = ed25519,
): NoteKey => {
  if (!isKeyName(name)) throw new NoteRefused('The name of a key must not contain spaces or +')
  if (publicKey.length !== publicKeyBytes) throw new NoteRefused('An Ed25519 key must have 32 bytes')
  const keyId = sha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, keyIdBytes)
  return { name, keyId, publicKey }
}

const isKeyName = (name: string): boolean => /^[^\p{Z}\p{Cc}+]+$/u.test(name)

/** `name+hex8+base64`, the format of policies and the file `vkey`. */
export const formatNoteKey = ({ name, keyId, publicKey }: NoteKey, type: number = ed25519): string =>
  `${name}+${encodeHex(keyId)}+${encodeBase64(concatBytes(Uint8Array.of(type), publicKey))}`

export const parseNoteKey = (text: string, hashing: Hashing, type: number = ed25519): NoteKey => {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/.exec(text) ?? []
  const bytes = tryDecodeBase64(encoded)
  if (bytes?.[0] !== type) throw new NoteRefused('This is not the key of a log')
  const key = noteKey(name, bytes.slice(1), hashing, type)
  if (encodeHex(key.keyId) !== keyId) throw new NoteRefused(`The id of the key ${name} is wrong`)
  return key
}

/** A file with a key ends in a new line; a policy has nothing around a key. */
export const parseKeyFile = (text: string, hashing: Hashing): NoteKey => parseNoteKey(text.trim(), hashing)

export type NoteSigner = {
  readonly key: NoteKey
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

export const signNote = async (text: string, { key, sign }: NoteSigner): Promise<string> => {
  if (!isNoteText(text))
    throw new NoteRefused('A note must end with a newline and must not contain control characters')
  return writeNote({ text, signatures: [{ ...key, signature: await sign(utf8(text)) }] })
}

const isNoteText = (text: string): boolean =>
  text.isWellFormed() &&
  text.endsWith('\n') &&
  utf8(text).every((byte) => byte >= firstPrintable || byte === newline)

const writeNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map((signature) => `${signatureLine(signature)}\n`).join('')}`

export const signatureLine = ({ name, keyId, signature }: NoteSignature): string =>
  `— ${name} ${encodeBase64(concatBytes(keyId, signature))}`

export const parseNote = (note: string): SignedNote => {
  const { text, lines } = splitNote(note)
  return { text, signatures: lines.map(parseSignature) }
}

/** The text of a note and its signature lines, which are not parsed. */
export const splitNote = (note: string): { readonly text: string; readonly lines: readonly string[] } => {
  const end = note.lastIndexOf('\n\n')
  if (note.length > maxNoteLength || end < 0 || !isNoteText(note))
    throw new NoteRefused('This is not a signed note')
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > maxSignatures)
    throw new NoteRefused(`The note has more than ${maxSignatures} signatures`)
  return { text: note.slice(0, end + 1), lines }
}

export const parseSignature = (line: string): NoteSignature => {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  const bytes = tryDecodeBase64(encoded)
  if (!isKeyName(name) || bytes === undefined || bytes.length <= keyIdBytes)
    throw new NoteRefused('A signature of the note is malformed')
  return { name, keyId: bytes.slice(0, keyIdBytes), signature: bytes.slice(keyIdBytes) }
}

/** Returns the text if a known key has signed it. Throws if a signature of a known key is wrong. */
export const verifyNote = (
  note: string,
  keys: readonly NoteKey[],
  { verifyEd25519 }: SignatureVerifying,
): { readonly text: string; readonly signedBy: readonly NoteKey[] } => {
  const { text, signatures } = parseNote(note)
  const signedBy = signatures.flatMap(({ name, keyId, signature }) => {
    const key = keys.find((known) => known.name === name && equalBytes(known.keyId, keyId))
    if (key === undefined) return []
    if (!verifyEd25519({ publicKey: key.publicKey, message: utf8(text), signature })) {
      throw new NoteRefused(`The signature of ${name} is wrong`)
    }
    return [key]
  })
  if (signedBy.length === 0) throw new NoteRefused('No trusted key has signed the note')
  return { text, signedBy: [...new Set(signedBy)] }
}
