import { ed25519 } from '@noble/curves/ed25519.js'
import { askedOnce } from '../asked-once.fixture.ts'
import { encodeBase58 } from '../encoding/base58.ts'
import type { Primitives } from '../primitives.ts'
import { attachSignatures, completeTransaction, wantedSignatures } from './sign.ts'
import type { SignedTransaction, UnsignedTransaction } from './transaction.ts'

export type Owner = {
  readonly publicKey: string
  /** What its records are made with. Default: the portable code. */
  readonly primitives?: Primitives
  sign(message: Uint8Array): Uint8Array
}

/** The Ed25519 seed is this byte, 32 times. */
export const ownerOf = (byte: number): Owner => {
  const seed = new Uint8Array(32).fill(byte)
  return {
    publicKey: encodeBase58(ed25519.getPublicKey(seed)),
    sign: (message) => ed25519.sign(message, seed),
  }
}

const primitivesOf = ([owner]: readonly Owner[]): Primitives => owner?.primitives ?? askedOnce

export const signPartly = (
  transaction: UnsignedTransaction,
  ...owners: readonly Owner[]
): UnsignedTransaction =>
  attachSignatures(
    transaction,
    wantedSignatures(transaction, primitivesOf(owners)).flatMap(({ inputIndex, publicKey, message }) =>
      owners
        .filter((owner) => owner.publicKey === publicKey)
        .map((owner) => ({ inputIndex, publicKey, signature: owner.sign(message) })),
    ),
    primitivesOf(owners),
  )

export const signWholly = (
  transaction: UnsignedTransaction,
  ...owners: readonly Owner[]
): SignedTransaction => {
  const complete = completeTransaction(signPartly(transaction, ...owners), primitivesOf(owners))
  if (complete === undefined) throw new Error('A signature is missing')
  return complete
}
