import {
  canonicalJson,
  JsonError,
  type JsonValue,
  readStorableJson,
  type StorableRules,
} from '@millseal/proof'
import { hashCanonical } from './hash-certificate.ts'
import { type CertificateLimits, certificateLimits } from './limits.ts'

export type JsonObject = { readonly [key: string]: JsonValue }

export type Certificate = {
  /** As received, never rewritten. */
  readonly bytes: Uint8Array
  readonly json: JsonObject
  /** Whether a number is written in another way than JavaScript writes it: `1.10`. */
  readonly hasOtherNumbers: boolean
  readonly refSchemaUrl: string
  /** RFC 8785. */
  readonly canonical: string
  /** SHA-256 of the canonical form, hex. */
  readonly hash: string
}

/** The bytes are not a certificate. `pointer` is a JSON pointer to the place; the message repeats no content. */
export class CertificateUnreadable extends Error {
  override readonly name = 'CertificateUnreadable'
  readonly reason: string
  readonly pointer: string
  readonly tooLarge: boolean

  constructor(reason: string, at: { pointer: string; tooLarge?: boolean }) {
    super(at.pointer === '' ? reason : `${at.pointer} ${reason}`)
    this.reason = reason
    this.pointer = at.pointer
    this.tooLarge = at.tooLarge === true
  }
}

const maxUrlLength = 2_048

export const readCertificate = (
  bytes: Uint8Array,
  limits: CertificateLimits = certificateLimits,
): Certificate => {
  if (bytes.byteLength > limits.maxBytes) {
    const reason = `The certificate is too large: ${bytes.byteLength} bytes (maximum ${limits.maxBytes})`
    throw new CertificateUnreadable(reason, { pointer: '', tooLarge: true })
  }
  let hasOtherNumbers = false
  const onOtherNumber = (): void => {
    hasOtherNumbers = true
  }
  const json = read(bytes, { maxDepth: limits.maxDepth, onOtherNumber })
  if (!isObject(json)) throw new CertificateUnreadable('A certificate must be a JSON object', { pointer: '' })
  measure(json, limits)
  const refSchemaUrl = json['RefSchemaUrl']
  if (typeof refSchemaUrl !== 'string' || refSchemaUrl === '' || refSchemaUrl.length > maxUrlLength) {
    throw new CertificateUnreadable('must be the URL of a schema', { pointer: '/RefSchemaUrl' })
  }
  const canonical = canonicalJson(json)
  return { bytes, json, hasOtherNumbers, refSchemaUrl, canonical, hash: hashCanonical(canonical) }
}

const read = (bytes: Uint8Array, rules: StorableRules): JsonValue => {
  try {
    return readStorableJson(bytes, rules)
  } catch (error) {
    if (error instanceof JsonError) {
      const reason = error.message.replace(` (${error.pointer})`, '')
      throw new CertificateUnreadable(reason, { pointer: error.pointer })
    }
    throw error
  }
}

export const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const measure = (root: JsonValue, limits: CertificateLimits): void => {
  const reject = (reason: string): never => {
    throw new CertificateUnreadable(reason, { pointer: '', tooLarge: true })
  }
  let values = 0
  const visit = (value: JsonValue): void => {
    values += 1
    if (values > limits.maxValues) reject(`The certificate contains more than ${limits.maxValues} values`)
    if (Array.isArray(value)) value.forEach(visit)
    else if (isObject(value)) {
      const keys = Object.keys(value)
      if (keys.length > limits.maxKeysPerObject)
        reject(`An object has more than ${limits.maxKeysPerObject} keys`)
      for (const key of keys) {
        if (key.length > limits.maxKeyLength) reject(`A key is longer than ${limits.maxKeyLength} characters`)
        visit(value[key] ?? null)
      }
    }
  }
  visit(root)
}
