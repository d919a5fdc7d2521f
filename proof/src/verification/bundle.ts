import type { JsonValue } from '../json/read.ts'

/** The part of a proof bundle (`GET /certificates/proof/{hash}`) that a verifier reads. Untrusted until verified. */
export type Bundle = {
  readonly jsonHash: string
  readonly pdfHash: string | undefined
  readonly transaction: JsonValue
  readonly tlogProof: string
  /** The transaction that published the key of the issuer. */
  readonly publication: { readonly company: string | undefined; readonly transaction: JsonValue } | undefined
  readonly anchors: readonly JsonValue[]
}

export class BundleUnreadable extends Error {
  override readonly name = 'BundleUnreadable'
}

const knownFormat = 1

export const readBundle = (json: JsonValue): Bundle => {
  const bundle = record(json, 'The bundle')
  if (bundle['formatVersion'] !== knownFormat) {
    throw new BundleUnreadable(`The bundle has an unknown format: expected format ${knownFormat}`)
  }
  if (bundle['algorithm'] !== 'sha256') throw new BundleUnreadable('The bundle does not use sha256')
  const { pdfHash, identity, anchors = [], transaction } = bundle
  if (transaction === undefined || !Array.isArray(anchors)) {
    throw new BundleUnreadable('The bundle has no transaction, or its anchors are not a list')
  }
  return {
    jsonHash: text(bundle, 'jsonHash'),
    pdfHash: pdfHash === undefined ? undefined : text(bundle, 'pdfHash'),
    transaction,
    tlogProof: text(bundle, 'tlogProof'),
    publication: identity === undefined ? undefined : readPublication(identity),
    anchors,
  }
}

type Fields = { readonly [key: string]: JsonValue }

const record = (json: JsonValue, what: string): Fields => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new BundleUnreadable(`${what} is not an object`)
  }
  return json
}

const text = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (typeof value !== 'string') throw new BundleUnreadable(`The bundle has no ${name}`)
  return value
}

const readPublication = (json: JsonValue): Bundle['publication'] => {
  const { company, transaction } = record(json, 'The identity of the bundle')
  if (transaction === undefined) return undefined
  return { company: typeof company === 'string' ? company : undefined, transaction }
}
