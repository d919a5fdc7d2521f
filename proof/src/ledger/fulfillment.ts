import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts'
import { equalBytes } from '../encoding/bytes.ts'
import type { Primitives } from '../primitives.ts'
import {
  type Condition,
  deepestThreshold,
  ed25519Condition,
  encodeCondition,
  readConditions,
  setOf,
  thresholdCondition,
} from './condition.ts'
import { encodeDer, readDer, readFields } from './der.ts'
import { InvalidTransaction } from './transaction.ts'

/** A condition with its signatures. A threshold has exactly as many fulfillments as needed, and conditions for the others. */
export type Fulfillment =
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array; readonly signature: Uint8Array }
  | {
      readonly kind: 'threshold'
      readonly fulfillments: readonly Fulfillment[]
      readonly conditions: readonly Condition[]
    }

export const fulfillmentText = (fulfillment: Fulfillment): string => encodeBase64Url(encode(fulfillment))

const encode = (fulfillment: Fulfillment): Uint8Array =>
  fulfillment.kind === 'ed25519'
    ? encodeDer(0xa4, encodeDer(0x80, fulfillment.publicKey), encodeDer(0x81, fulfillment.signature))
    : encodeDer(
        0xa2,
        encodeDer(0xa0, ...setOf(fulfillment.fulfillments.map(encode))),
        encodeDer(0xa1, ...setOf(fulfillment.conditions.map(encodeCondition))),
      )

export const readFulfillment = (text: string): Fulfillment => {
  try {
    const bytes = decodeBase64Url(text)
    const [fulfillment, ...more] = readAll(bytes, 0)
    if (fulfillment === undefined || more.length > 0 || !equalBytes(encode(fulfillment), bytes))
      throw new SyntaxError('Not canonical DER')
    return fulfillment
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new InvalidTransaction('InvalidSignature', "Fulfillment URI couldn't been parsed")
  }
}

const readAll = (bytes: Uint8Array, depth: number): readonly Fulfillment[] => {
  if (depth > deepestThreshold)
    throw new InvalidTransaction('ThresholdTooDeep', 'thresholds nested too deeply')
  return readDer(bytes).map(({ tag, content }) => {
    if (tag === 0xa4) return readEd25519(content)
    if (tag !== 0xa2) throw new SyntaxError('Unknown kind of fulfillment')
    const [fulfillments, conditions] = readFields(content, 0xa0, 0xa1)
    if (fulfillments === undefined || conditions === undefined || fulfillments.length === 0)
      throw new SyntaxError('A threshold without fulfillments')
    return {
      kind: 'threshold',
      fulfillments: readAll(fulfillments, depth + 1),
      conditions: readConditions(conditions),
    }
  })
}

const readEd25519 = (content: Uint8Array): Fulfillment => {
  const [publicKey, signature] = readFields(content, 0x80, 0x81)
  if (publicKey?.length !== 32 || signature?.length !== 64) throw new SyntaxError('Wrong length')
  return { kind: 'ed25519', publicKey, signature }
}

export const fulfilledCondition = (fulfillment: Fulfillment, primitives: Primitives): Condition =>
  fulfillment.kind === 'ed25519'
    ? ed25519Condition(fulfillment.publicKey, primitives)
    : thresholdCondition(
        {
          threshold: fulfillment.fulfillments.length,
          conditions: [
            ...fulfillment.fulfillments.map((inner) => fulfilledCondition(inner, primitives)),
            ...fulfillment.conditions,
          ],
        },
        primitives,
      )

export const isFulfilled = (
  fulfillment: Fulfillment,
  message: Uint8Array,
  primitives: Primitives,
): boolean =>
  fulfillment.kind === 'ed25519'
    ? primitives.verifyEd25519({ ...fulfillment, message })
    : fulfillment.fulfillments.every((inner) => isFulfilled(inner, message, primitives))

/** All leaves and unopened branches, signed or not. */
export const leavesOf = (fulfillment: Fulfillment, primitives: Primitives): readonly Condition[] =>
  fulfillment.kind === 'ed25519'
    ? [ed25519Condition(fulfillment.publicKey, primitives)]
    : [...fulfillment.fulfillments.flatMap((inner) => leavesOf(inner, primitives)), ...fulfillment.conditions]
