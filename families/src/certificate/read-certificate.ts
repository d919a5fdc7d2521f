import { atPlace, because, inEnglish, jsonReason, type Reason } from '@millseal/contract/reasons'
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
  readonly reason: Reason
  readonly pointer: string
  readonly tooLarge: boolean

  constructor(reason: Reason, at: { pointer: string; tooLarge?: boolean }) {
    super(inEnglish(at.pointer === '' ? reason : atPlace(at.pointer, reason)))
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
    const reason = because('certificate_too_large', { bytes: bytes.byteLength, most: limits.maxBytes })
    throw new CertificateUnreadable(reason, { pointer: '', tooLarge: true })
  }
  let hasOtherNumbers = false
  const onOtherNumber = (): void => {
    hasOtherNumbers = true
  }
  const json = read(bytes, { maxDepth: limits.maxDepth, onOtherNumber })
  if (!isObject(json)) throw new CertificateUnreadable(because('certificate_not_object'), { pointer: '' })
  measure(json, limits)
  const refSchemaUrl = json['RefSchemaUrl']
  if (typeof refSchemaUrl !== 'string' || refSchemaUrl === '' || refSchemaUrl.length > maxUrlLength) {
    throw new CertificateUnreadable(because('must_be_schema_url'), { pointer: '/RefSchemaUrl' })
  }
  const canonical = canonicalJson(json)
  return { bytes, json, hasOtherNumbers, refSchemaUrl, canonical, hash: hashCanonical(canonical) }
}

const read = (bytes: Uint8Array, rules: StorableRules): JsonValue => {
  try {
    return readStorableJson(bytes, rules)
  } catch (error) {
    if (error instanceof JsonError) {
      throw new CertificateUnreadable(jsonReason(error), { pointer: error.pointer })
    }
    throw error
  }
}

export const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const measure = (root: JsonValue, limits: CertificateLimits): void => {
  const reject = (reason: Reason): never => {
    throw new CertificateUnreadable(reason, { pointer: '', tooLarge: true })
  }
  let values = 0
  const visit = (value: JsonValue): void => {
    values += 1
    if (values > limits.maxValues)
      reject(because('certificate_has_too_many_values', { most: limits.maxValues }))
    if (Array.isArray(value)) value.forEach(visit)
    else if (isObject(value)) {
      const keys = Object.keys(value)
      if (keys.length > limits.maxKeysPerObject)
        reject(because('object_has_too_many_keys', { most: limits.maxKeysPerObject }))
      for (const key of keys) {
        if (key.length > limits.maxKeyLength) reject(because('key_too_long', { most: limits.maxKeyLength }))
        visit(value[key] ?? null)
      }
    }
  }
  visit(root)
}
