import { concatBytes, equalBytes, utf8 } from '../encoding/bytes.ts'
import type { Hashing, SignatureVerifying } from '../primitives.ts'
import { parseCheckpoint } from './checkpoint.ts'
import {
  formatNoteKey,
  type NoteKey,
  noteKey,
  NoteRefused,
  type NoteSignature,
  parseNoteKey,
  parseSignature,
  signatureLine,
} from './note.ts'

/** The key of a cosigner. C2SP tlog-cosignature, signature type 0x04 (Ed25519). */
export type CosignerKey = {
  readonly name: string
  /** The first four bytes of SHA-256(name || 0x0A || 0x04 || public key). */
  readonly keyId: Uint8Array
  /** Has another name than in the key of a log, which signs other messages: one must not be used as the other. */
  readonly cosignerPublicKey: Uint8Array
}

export type Cosignature = {
  readonly key: CosignerKey
  /** When the cosigner signed, in seconds since 1970. */
  readonly timeSeconds: number
  /** As in the note, without its newline. */
  readonly line: string
}

const cosignatureV1 = 0x04
/** The first byte of a key is its type: 0x04 and 0x06 are in base64 a B and one of these. */
const isCosignatureV1 = /^[^+]*\+[0-9a-f]{8}\+B[A-P]/
const mlDsa44 = /^([^+]*)\+[0-9a-f]{8}\+B[g-v]/
const timeBytes = 8
const signatureBytes = 64
/** The end of the year 9999. The specification allows more, but no clock of a cosigner can be there. */
const maxTimeSeconds = 253_402_300_799n

const asCosigner = ({ name, keyId, publicKey: cosignerPublicKey }: NoteKey): CosignerKey => ({
  name,
  keyId,
  cosignerPublicKey,
})

export const cosignerKey = (name: string, cosignerPublicKey: Uint8Array, hashing: Hashing): CosignerKey =>
  asCosigner(noteKey(name, cosignerPublicKey, hashing, cosignatureV1))

/** `name+hex8+base64`, as cosigners publish it. */
export const formatCosignerKey = ({ cosignerPublicKey: publicKey, ...key }: CosignerKey): string =>
  formatNoteKey({ ...key, publicKey }, cosignatureV1)

export const parseCosignerKey = (text: string, hashing: Hashing): CosignerKey => {
  const [, mlDsa] = mlDsa44.exec(text) ?? []
  if (mlDsa !== undefined)
    throw new NoteRefused(
      `The key ${mlDsa} is one for ML-DSA-44, which does not cover time, operator and status: use its Ed25519 key`,
    )
  if (!isCosignatureV1.test(text))
    throw new NoteRefused('This is not the key of a cosigner: expected name+id+key of type 0x04 (Ed25519)')
  return asCosigner(parseNoteKey(text, hashing, cosignatureV1))
}

export type Cosigner = {
  readonly key: CosignerKey
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/** The line that a cosigner adds to a note with this text. */
export const cosign = async (text: string, timeSeconds: number, { key, sign }: Cosigner): Promise<string> => {
  parseCheckpoint(text)
  const time = new Uint8Array(timeBytes)
  new DataView(time.buffer).setBigUint64(0, BigInt(timeSeconds))
  const signature = await sign(messageOf(text, timeSeconds))
  return signatureLine({ ...key, signature: concatBytes(time, signature) })
}

/** C2SP tlog-cosignature: covers the whole text, extension lines included. */
const messageOf = (text: string, timeSeconds: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${timeSeconds}\n${text}`)

const wellFormed = (line: string): NoteSignature | undefined => {
  try {
    return parseSignature(line)
  } catch {
    return undefined
  }
}

/**
 * The valid cosignatures among the lines of a note. Each line is judged alone: one that is malformed, of another key or wrong
 * does not count, and takes nothing from the others. A cosigner may have several. Throws `NoteRefused` if the text is not
 * a checkpoint.
 */
export const collectCosignatures = (
  { text, lines }: { readonly text: string; readonly lines: readonly string[] },
  keys: readonly CosignerKey[],
  primitives: SignatureVerifying,
): Cosignature[] => {
  parseCheckpoint(text)
  return [...new Set(lines)].flatMap((line) => {
    const signature = wellFormed(line)
    if (signature === undefined) return []
    const key = keys.find((known) => isOf(signature, known))
    if (key === undefined) return []
    const timeSeconds = verifiedTime(text, { key, signature: signature.signature }, primitives)
    return timeSeconds === undefined ? [] : [{ key, timeSeconds, line }]
  })
}

const isOf = ({ name, keyId }: NoteSignature, key: CosignerKey): boolean =>
  key.name === name && equalBytes(key.keyId, keyId)

/** Undefined if the signature is wrong. */
const verifiedTime = (
  text: string,
  { key, signature }: { readonly key: CosignerKey; readonly signature: Uint8Array },
  { verifyEd25519 }: SignatureVerifying,
): number | undefined => {
  if (signature.length !== timeBytes + signatureBytes) return undefined
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)
  if (time > maxTimeSeconds) return undefined
  const timeSeconds = Number(time)
  const isValid = verifyEd25519({
    publicKey: key.cosignerPublicKey,
    message: messageOf(text, timeSeconds),
    signature: signature.slice(timeBytes),
  })
  return isValid ? timeSeconds : undefined
}
