import { encodeBase64Url } from '../encoding/base64.ts'
import { compareBytes } from '../encoding/bytes.ts'
import { decodePublicKey } from '../identity/public-key.ts'
import type { Primitives } from '../primitives.ts'
import { derInteger, encodeDer, readDer, readFields, readInteger } from './der.ts'
import { type ConditionDetails, InvalidTransaction } from './transaction.ts'

/** A crypto-condition (draft-thomas-crypto-conditions-03) of the two supported types. */
export type Condition = {
  readonly kind: 'ed25519' | 'threshold'
  readonly fingerprint: Uint8Array
  readonly cost: number
}

export const deepestThreshold = 10
const ed25519Cost = 131_072
const costPerSubcondition = 1_024
/** The bit of Ed25519 (type 4), the only leaf type, in a bit string of five bits. */
const ed25519Subtype = Uint8Array.of(0x03, 0x08)

export const ed25519Condition = (publicKey: Uint8Array, { sha256 }: Primitives): Condition => ({
  kind: 'ed25519',
  fingerprint: sha256(encodeDer(0x30, encodeDer(0x80, publicKey))),
  cost: ed25519Cost,
})

export const thresholdCondition = (
  { threshold, conditions }: { readonly threshold: number; readonly conditions: readonly Condition[] },
  { sha256 }: Primitives,
): Condition => {
  const dearest = conditions.map(({ cost }) => cost).toSorted((a, b) => b - a)
  const contents = encodeDer(
    0x30,
    encodeDer(0x80, derInteger(threshold)),
    encodeDer(0xa1, ...setOf(conditions.map(encodeCondition))),
  )
  return {
    kind: 'threshold',
    fingerprint: sha256(contents),
    cost:
      dearest.slice(0, threshold).reduce((sum, cost) => sum + cost, 0) +
      costPerSubcondition * conditions.length,
  }
}

/** The condition of the details of an output. */
export const conditionOf = (details: ConditionDetails, primitives: Primitives, depth = 0): Condition => {
  if (details.type === 'ed25519-sha-256') return ed25519Condition(readOwner(details.public_key), primitives)
  if (depth >= deepestThreshold)
    throw new InvalidTransaction('ThresholdTooDeep', 'thresholds nested too deeply')
  const conditions = details.subconditions.map((inner) => conditionOf(inner, primitives, depth + 1))
  return thresholdCondition({ threshold: details.threshold, conditions }, primitives)
}

/** Rejects unsafe keys, because anyone could spend the output of one. */
export const readOwner = (key: string): Uint8Array => {
  try {
    return decodePublicKey(key)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not a key'
    throw new InvalidTransaction('ValidationError', `public key ${key.slice(0, 64)}: ${reason}`)
  }
}

export const conditionUri = ({ kind, fingerprint, cost }: Condition): string => {
  const subtypes = kind === 'threshold' ? '&subtypes=ed25519-sha-256' : ''
  return `ni:///sha-256;${encodeBase64Url(fingerprint)}?fpt=${kind}-sha-256&cost=${cost}${subtypes}`
}

export const encodeCondition = ({ kind, fingerprint, cost }: Condition): Uint8Array => {
  const simple = [encodeDer(0x80, fingerprint), encodeDer(0x81, derInteger(cost))]
  return kind === 'ed25519'
    ? encodeDer(0xa4, ...simple)
    : encodeDer(0xa2, ...simple, encodeDer(0x82, ed25519Subtype))
}

export const readConditions = (set: Uint8Array): readonly Condition[] =>
  readDer(set).map(({ tag, content }) => {
    if (tag !== 0xa2 && tag !== 0xa4) throw new SyntaxError('Unknown kind of condition')
    const [fingerprint, cost] = readFields(content, ...(tag === 0xa4 ? [0x80, 0x81] : [0x80, 0x81, 0x82]))
    if (fingerprint?.length !== 32 || cost === undefined) throw new SyntaxError('Malformed condition')
    return { kind: tag === 0xa4 ? 'ed25519' : 'threshold', fingerprint, cost: readInteger(cost) }
  })

/** DER orders a SET OF by the bytes of its elements. */
export const setOf = (members: readonly Uint8Array[]): readonly Uint8Array[] => members.toSorted(compareBytes)

/** The distinct keys of the leaves. */
export const keysOf = (details: ConditionDetails): ReadonlySet<string> =>
  details.type === 'ed25519-sha-256'
    ? new Set([details.public_key])
    : new Set(details.subconditions.flatMap((inner) => [...keysOf(inner)]))

/** One key alone, or a threshold of several keys. */
export const detailsFor = (
  publicKeys: readonly string[],
  threshold = publicKeys.length,
): ConditionDetails => {
  const [only, ...others] = publicKeys.map((key) => ({ type: 'ed25519-sha-256', public_key: key }) as const)
  if (only === undefined) throw new InvalidTransaction('ValidationError', 'an output needs an owner')
  return others.length === 0
    ? only
    : { type: 'threshold-sha-256', threshold, subconditions: [only, ...others] }
}

export const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((member) => b.has(member))
