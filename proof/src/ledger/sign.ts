import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts'
import type { Primitives } from '../primitives.ts'
import { conditionOf, detailsFor, readOwner } from './condition.ts'
import { type Fulfillment, fulfillmentText } from './fulfillment.ts'
import { signingMessages, transactionId } from './signing-message.ts'
import {
  InvalidTransaction,
  type PendingFulfillment,
  type SignedTransaction,
  type UnsignedTransaction,
} from './transaction.ts'
import { verifyTransaction } from './verify-transaction.ts'

/** A missing signature of an input: `message` is the digest that `publicKey` signs with Ed25519. */
export type WantedSignature = {
  readonly inputIndex: number
  readonly publicKey: string
  readonly message: Uint8Array
}

export type GivenSignature = {
  readonly inputIndex: number
  readonly publicKey: string
  readonly signature: Uint8Array
}

/** Signatures do not depend on each other: owners can add them separately and in any order. */
export const wantedSignatures = (
  transaction: UnsignedTransaction,
  primitives: Primitives,
): readonly WantedSignature[] => {
  const messages = signingMessages(transaction, primitives)
  return transaction.inputs.flatMap((input, inputIndex) => {
    const message = messages[inputIndex]
    if (message === undefined || typeof input.fulfillment === 'string') return []
    return [...unsignedKeys(pendingOf(input))].map((publicKey) => ({ inputIndex, publicKey, message }))
  })
}

/** Throws `InvalidTransaction` if a signature does not verify, or its key is not an owner. */
export const attachSignatures = (
  transaction: UnsignedTransaction,
  signatures: readonly GivenSignature[],
  primitives: Primitives,
): UnsignedTransaction => {
  const messages = signingMessages(transaction, primitives)
  const inputs = transaction.inputs.map((input, inputIndex) => {
    const own = signatures.filter((given) => given.inputIndex === inputIndex)
    const message = messages[inputIndex]
    if (own.length === 0 || message === undefined) return input
    if (typeof input.fulfillment === 'string')
      throw new InvalidTransaction('InvalidSignature', `input ${inputIndex} is already signed`)
    const fulfillment = own.reduce((pending, given) => {
      const { publicKey, signature } = given
      if (!primitives.verifyEd25519({ publicKey: readOwner(publicKey), message, signature }))
        throw new InvalidTransaction('InvalidSignature', `the signature of ${publicKey} does not verify`)
      if (!allKeys(pending).has(publicKey))
        throw new InvalidTransaction(
          'InvalidSignature',
          `${publicKey} is not an owner of input ${inputIndex}`,
        )
      return withSignature(pending, given)
    }, pendingOf(input))
    return { ...input, fulfillment }
  })
  return { ...transaction, inputs } as UnsignedTransaction
}

/** Returns the verified transaction; undefined if a signature is missing. */
export const completeTransaction = (
  transaction: UnsignedTransaction,
  primitives: Primitives,
): SignedTransaction | undefined => {
  const inputs = transaction.inputs.map((input) => {
    if (typeof input.fulfillment === 'string') return input
    const fulfillment = fulfill(pendingOf(input), primitives)
    return { ...input, fulfillment: fulfillment === undefined ? undefined : fulfillmentText(fulfillment) }
  })
  if (inputs.some(({ fulfillment }) => fulfillment === undefined)) return undefined
  const complete = { ...transaction, inputs }
  return verifyTransaction({ ...complete, id: transactionId(complete, primitives) }, primitives)
}

const pendingOf = ({
  owners_before: owners,
  fulfillment,
}: UnsignedTransaction['inputs'][number]): PendingFulfillment =>
  typeof fulfillment === 'string' || fulfillment === null ? detailsFor(owners) : fulfillment

const allKeys = (pending: PendingFulfillment): ReadonlySet<string> =>
  pending.type === 'ed25519-sha-256'
    ? new Set([pending.public_key])
    : new Set(pending.subconditions.flatMap((inner) => [...allKeys(inner)]))

const unsignedKeys = (pending: PendingFulfillment): ReadonlySet<string> => {
  if (pending.type === 'ed25519-sha-256')
    return new Set(pending.signature === undefined ? [pending.public_key] : [])
  return new Set(pending.subconditions.flatMap((inner) => [...unsignedKeys(inner)]))
}

const withSignature = (pending: PendingFulfillment, given: GivenSignature): PendingFulfillment => {
  if (pending.type === 'threshold-sha-256')
    return { ...pending, subconditions: pending.subconditions.map((inner) => withSignature(inner, given)) }
  return pending.public_key === given.publicKey
    ? { ...pending, signature: encodeBase64Url(given.signature) }
    : pending
}

const fulfill = (pending: PendingFulfillment, primitives: Primitives): Fulfillment | undefined => {
  if (pending.type === 'ed25519-sha-256') {
    if (pending.signature === undefined) return undefined
    return {
      kind: 'ed25519',
      publicKey: readOwner(pending.public_key),
      signature: readSignature(pending.signature),
    }
  }
  const subs = pending.subconditions.map((inner) => ({ inner, fulfillment: fulfill(inner, primitives) }))
  const signed = subs.filter(({ fulfillment }) => fulfillment !== undefined).slice(0, pending.threshold)
  if (signed.length < pending.threshold) return undefined
  return {
    kind: 'threshold',
    fulfillments: signed.flatMap(({ fulfillment }) => fulfillment ?? []),
    conditions: subs
      .filter((sub) => !signed.includes(sub))
      .map(({ inner }) => conditionOf(inner, primitives)),
  }
}

const readSignature = (text: string): Uint8Array => {
  try {
    return decodeBase64Url(text)
  } catch {
    throw new InvalidTransaction('InvalidSignature', 'a signature is not base64url')
  }
}
