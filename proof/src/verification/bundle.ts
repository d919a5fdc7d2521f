import type { JsonValue } from '../json/read.ts'
import { isDecimal, isLogTime } from '../log/checkpoint.ts'
import type { Hash } from '../log/merkle-hash.ts'
import { tryDecodeBase64 } from '../encoding/base64.ts'
import { hashesOf } from '../log/tile-reader.ts'
import type { StatusProof } from '../status/status-leaf.ts'

/** An entry of the log with its place. Untrusted until verified. */
export type BundledEntry = {
  readonly transaction: Fields
  readonly time: string | undefined
  readonly index: number
  readonly path: readonly Hash[]
}

/** A proof bundle (docs/bundle.md). Untrusted until verified. */
export type Bundle = OnlyInFormat3 & {
  readonly formatVersion: 1 | 2 | 3
  readonly transaction: Fields
  readonly time: string | undefined
  /** C2SP tlog-proof of the entry with this transaction and time. */
  readonly proof: string
  readonly identity: BundledEntry | undefined
  readonly review: BundledEntry | undefined
  readonly status: readonly StatusProof[]
  readonly corrections: readonly BundledEntry[]
}

/** For reading the JSON of a bundle: a transaction of 64 levels, and those of the bundle around it. */
export const deepestBundle = 68

export class BundleUnreadable extends Error {
  override readonly name = 'BundleUnreadable'
}

export const readBundle = (json: JsonValue): Bundle => {
  const bundle = record(json, 'The bundle')
  const { formatVersion } = bundle
  if (formatVersion === 1) return readFormat1(bundle)
  if (formatVersion === 2 || formatVersion === 3) return readNewer(bundle, formatVersion)
  throw new BundleUnreadable(
    typeof formatVersion === 'number' && formatVersion > 3
      ? `The bundle has format ${formatVersion}; this verifier knows formats 1 to 3. Use a newer one`
      : 'The bundle has no known formatVersion',
  )
}

/** Ignores the copies that nothing signs. */
const readFormat1 = (bundle: Fields): Bundle => {
  if (bundle['algorithm'] !== 'sha256') throw new BundleUnreadable('The bundle does not use sha256')
  const transaction = record(bundle['transaction'], 'transaction')
  const nothing = { time: undefined, identity: undefined, review: undefined, status: [], corrections: [] }
  const proof = text(bundle, 'tlogProof', 'The bundle')
  return { formatVersion: 1, transaction, proof, ...noFormat3, ...nothing }
}

type OnlyInFormat3 = {
  /** From the state leaf, the last entry of the checkpoint. */
  readonly statePath: readonly Hash[] | undefined
  /** Decide nothing. */
  readonly stamps: readonly Fields[]
}

const noFormat3: OnlyInFormat3 = { statePath: undefined, stamps: [] }

const readNewer = (bundle: Fields, version: 2 | 3): Bundle => {
  const {
    formatVersion: _version,
    entry,
    proof: _proof,
    identity,
    review,
    status,
    corrections,
    ...more
  } = bundle
  if (version === 2) refuseMore(more, 'The bundle')
  const added = version === 3 ? readFormat3(more) : noFormat3
  const { transaction, time, ...others } = record(entry, 'entry')
  refuseMore(others, 'entry')
  return {
    formatVersion: version,
    transaction: record(transaction, 'entry/transaction'),
    time: time === undefined ? undefined : asTime(time, 'entry/time'),
    proof: text(bundle, 'proof', 'The bundle'),
    identity: identity === undefined ? undefined : readEntry(identity, 'identity'),
    review: review === undefined ? undefined : readEntry(review, 'review'),
    status: list(status, 'status').map((leaf, at) => readLeaf(leaf, `status/${at}`)),
    corrections: list(corrections, 'corrections').map((one, at) => readEntry(one, `corrections/${at}`)),
    ...added,
  }
}

/** Stamps and countersignatures are not checked here, and decide nothing. */
const readFormat3 = ({ state, stamps, countersignatures, ...more }: Fields): OnlyInFormat3 => {
  refuseMore(more, 'The bundle')
  const stamped = parts(stamps, 'stamps')
  parts(countersignatures, 'countersignatures')
  if (state === undefined) return { statePath: undefined, stamps: stamped }
  const { path, ...others } = record(state, 'state')
  refuseMore(others, 'state')
  return { statePath: asPath(path, 'state/path'), stamps: stamped }
}

const parts = (json: JsonValue | undefined, what: string): readonly Fields[] =>
  list(json, what).map((part) => record(part, 'A stamp or countersignature'))

const readEntry = (json: JsonValue, where: string): BundledEntry => {
  const { transaction, time, index, path, ...more } = record(json, where)
  refuseMore(more, where)
  return {
    transaction: record(transaction, `${where}/transaction`),
    time: time === undefined ? undefined : asTime(time, `${where}/time`),
    index: asIndex(index, `${where}/index`),
    path: asPath(path, `${where}/path`),
  }
}

const readLeaf = (json: JsonValue, where: string): StatusProof => {
  const { subject, next, entries, index, path, ...more } = record(json, where)
  refuseMore(more, where)
  return {
    subject: asText(subject, `${where}/subject`),
    next: asText(next, `${where}/next`),
    entries: list(entries, `${where}/entries`).map((entry) => asIndex(entry, `${where}/entries`)),
    index: asIndex(index, `${where}/index`),
    path: asPath(path, `${where}/path`),
  }
}

export type Fields = { readonly [key: string]: JsonValue }

const record = (json: JsonValue | undefined, what: string): Fields => {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new BundleUnreadable(`${what} is not an object`)
  return json
}

const list = (json: JsonValue | undefined, what: string): readonly JsonValue[] => {
  if (!Array.isArray(json)) throw new BundleUnreadable(`${what} is not a list`)
  return json
}

const refuseMore = (more: Fields, what: string): undefined => {
  const [unknown] = Object.keys(more)
  if (unknown !== undefined)
    throw new BundleUnreadable(
      `${what} has a member "${unknown}" that this verifier does not know. Use a newer one`,
    )
}

const text = (fields: Fields, name: string, what: string): string => {
  const value = fields[name]
  if (typeof value !== 'string') throw new BundleUnreadable(`${what} has no ${name}`)
  return value
}

const asText = (value: JsonValue | undefined, where: string): string => {
  if (typeof value !== 'string') throw new BundleUnreadable(`${where} is not a text`)
  return value
}

const asTime = (value: JsonValue, where: string): string => {
  const time = asText(value, where)
  if (!isLogTime(time)) throw new BundleUnreadable(`${where} is not a time`)
  return time
}

const asIndex = (value: JsonValue | undefined, where: string): number => {
  if (typeof value !== 'number' || Object.is(value, -0) || !isDecimal(String(value)))
    throw new BundleUnreadable(`${where} is not the index of an entry`)
  return value
}

/** The longest path in a tree whose size is a safe integer. */
const maxPathLength = 53

export const asPath = (value: JsonValue | undefined, where: string): readonly Hash[] => {
  const bytes = typeof value === 'string' ? tryDecodeBase64(value) : undefined
  if (bytes === undefined || bytes.length % 32 !== 0 || bytes.length > 32 * maxPathLength)
    throw new BundleUnreadable(`${where} is not a path`)
  return hashesOf(bytes)
}
