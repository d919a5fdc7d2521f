import { readFile, stat } from 'node:fs/promises'
import {
  canonicalJson,
  deepestBundle,
  encodeHex,
  type FileHash,
  JsonError,
  type JsonValue,
  looksLikePdf,
  looksLikePolicy,
  parsePolicyFile,
  plainLine,
  PolicyUnreadable,
  readJson,
  twoFormatsOf,
} from '@millseal/proof/verifier'
import { nodePrimitives } from '@millseal/proof/node'
import { readTrust } from './read-trust.ts'

const maxBytes = 64 * 1_024 * 1_024
/** As the server reads certificates. */
const deepestCertificate = 64

export type CertificateFile = {
  readonly hash: FileHash
  readonly bytes: Uint8Array
  /** Undefined for a PDF. */
  readonly json?: JsonValue
}

/** Hashes the bytes of a PDF, and the canonical form of JSON, where white space and the order of keys do not matter. */
export const readCertificateFile = async (path: string): Promise<CertificateFile> => {
  const bytes = await readBytes(path)
  const two = twoFormatsOf(path, bytes)
  if (two !== undefined) throw new Error(`${path} is a ${two.join(' and ')} at once: do not use it`)
  if (['PK\u0003', 'PK\u0005'].includes(bytes.toString('latin1', 0, 3)))
    throw new Error(`${path} is a zip: unpack it and name one file. A trust policy in it is never used`)
  return looksLikePdf(bytes)
    ? { bytes, hash: { kind: 'pdf', hash: sha256(bytes) } }
    : { bytes, ...readCertificateJson(bytes, path) }
}

/** A trust policy where a certificate is expected. It is never used. */
export class PolicyInside extends Error {
  override readonly name = 'PolicyInside'
  /** The logs and issuers that it would trust. */
  readonly whom: string

  constructor(what: string, json: JsonValue) {
    const { logs, issuers } = readTrust(json)
    const whom = plainLine([...logs, ...issuers].map(({ name }) => name).join(', '), 200)
    super(
      `${what} is a trust policy, not a certificate. It would trust ${whom}. To use it, pass it with --policy`,
    )
    this.whom = whom
  }
}

export const readCertificateJson = (
  bytes: Uint8Array,
  what: string,
): { readonly hash: FileHash; readonly json: JsonValue } => {
  const json = parse(bytes, { maxDepth: deepestCertificate, problem: `${what} is neither a PDF nor JSON` })
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error(`${what} is not a certificate: the JSON is not an object`)
  if ('formatVersion' in json)
    throw new Error(`${what} is a proof bundle, not a certificate. To use it, pass it with --bundle`)
  if (looksLikePolicy(json)) throw new PolicyInside(what, json)
  return { json, hash: { kind: 'json', hash: sha256(canonicalJson(json)) } }
}

/** Its JSON, also if it is the bare text of a tlog-policy. */
export const readPolicyFile = async (path: string): Promise<JsonValue> => {
  const bytes = await readBytes(path)
  return orProblem(`The policy ${path} cannot be read`, () => parsePolicyFile(bytes))
}

/** Of a bundle. */
export const readJsonFile = async (path: string, what: string): Promise<JsonValue> =>
  parse(await readBytes(path), { maxDepth: deepestBundle, problem: `${what} ${path} is not JSON` })

const parse = (
  bytes: Uint8Array,
  { maxDepth, problem }: { readonly maxDepth: number; readonly problem: string },
): JsonValue => orProblem(problem, () => readJson(bytes, { maxDepth }))

const orProblem = (problem: string, read: () => JsonValue): JsonValue => {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonError || error instanceof PolicyUnreadable)
      throw new Error(`${problem}: ${error.message}`, { cause: error })
    throw error
  }
}

const readBytes = async (path: string): Promise<Buffer> => {
  const facts = await stat(path).catch((cause: unknown) => {
    throw new Error(`${path} does not exist, or cannot be read`, { cause })
  })
  if (facts.isDirectory()) throw new Error(`${path} is a folder: name a file`)
  if (facts.size > maxBytes)
    throw new Error(`${path} is too large: ${facts.size} bytes (maximum ${maxBytes})`)
  return await readFile(path)
}

const sha256 = (data: Uint8Array | string): string =>
  encodeHex(nodePrimitives.sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data))
