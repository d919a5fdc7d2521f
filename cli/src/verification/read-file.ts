import { readFile, stat } from 'node:fs/promises'
import {
  canonicalJson,
  encodeHex,
  type FileHash,
  JsonError,
  type JsonValue,
  looksLikePdf,
  portablePrimitives,
  readJson,
} from '@millseal/proof'

const mostBytes = 64 * 1_024 * 1_024
const deepestJson = 64

export type CertificateFile = { readonly hash: FileHash; readonly bytes: Uint8Array }

/** Of a PDF every byte counts, of a JSON every value: neither its white space nor the order of its keys. */
export const readCertificateFile = async (path: string): Promise<CertificateFile> => {
  const bytes = await readSome(path)
  return looksLikePdf(bytes)
    ? { bytes, hash: { kind: 'pdf', hash: sha256(bytes) } }
    : { bytes, hash: hashOfJson(bytes, path) }
}

export const hashOfJson = (bytes: Uint8Array, what: string): FileHash => {
  const json = parse(bytes, `${what} is neither a PDF nor a certificate in JSON`)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error(`${what} is JSON, and not an object: no certificate`)
  return { kind: 'json', hash: sha256(canonicalJson(json)) }
}

export const readJsonFile = async (path: string, what: string): Promise<JsonValue> =>
  parse(await readSome(path), `${what} ${path} is not JSON`)

const parse = (bytes: Uint8Array, complaint: string): JsonValue => {
  try {
    return readJson(bytes, { maxDepth: deepestJson })
  } catch (error) {
    if (error instanceof JsonError) throw new Error(`${complaint}: ${error.message}`, { cause: error })
    throw error
  }
}

const readSome = async (path: string): Promise<Uint8Array> => {
  const facts = await stat(path).catch((cause: unknown) => {
    throw new Error(`${path} cannot be read: there is no such file, or it may not be opened`, { cause })
  })
  if (facts.isDirectory()) throw new Error(`${path} is a folder: name a file`)
  const { size } = facts
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; the most that is read is ${mostBytes}`)
  return await readFile(path)
}

const sha256 = (data: Uint8Array | string): string =>
  encodeHex(portablePrimitives.sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data))
