import {
  attachSignatures,
  completeTransaction,
  encodeHex,
  type GivenSignature,
  InvalidTransaction,
  type SignedTransaction,
  type UnsignedTransaction,
  wantedSignatures,
} from '@millseal/proof'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { KmRoomDependencies } from '../dependencies.ts'
import type { IdentityWithKey } from '../identities/signing-identity.ts'
import type { Actor } from './keep-records.ts'

export type SigningDependencies = Pick<KmRoomDependencies, 'vault' | 'audit'>

export type Signing = {
  readonly identity: IdentityWithKey
  readonly by: Actor
  /** As operations are called: `transactions.sign` */
  readonly purpose: string
}

/** With the signatures this identity can give; throws `transaction_invalid` where that is none. */
export const addSignatures =
  (deps: SigningDependencies) =>
  async (
    tx: Transaction,
    signing: Signing,
    transaction: UnsignedTransaction,
  ): Promise<UnsignedTransaction> => {
    const { publicKey } = signing.identity
    const wanted = wantedSignatures(transaction, nodePrimitives).filter(
      (signature) => signature.publicKey === publicKey,
    )
    if (wanted.length === 0) {
      throw new Problem('transaction_invalid', {
        details: ['/inputs has none that this identity owns and has not signed'],
      })
    }
    const given: GivenSignature[] = []
    for (const { inputIndex, message } of wanted) {
      given.push({ inputIndex, publicKey, signature: await useKey(deps, tx, { signing, message }) })
    }
    return attachSignatures(transaction, given, nodePrimitives)
  }

/** Written down in `tx`, with the digest that was signed: a use of a key that is not recorded does not count. */
const useKey = async (
  { vault, audit }: SigningDependencies,
  tx: Transaction,
  { signing, message }: { readonly signing: Signing; readonly message: Uint8Array },
): Promise<Uint8Array> => {
  const { identity, by, purpose } = signing
  const signature = await vault.sign(identity.root, identity.path, message)
  await audit.write(tx, {
    ...by,
    action: 'keys.sign',
    subject: `identity:${identity.id}`,
    companyId: identity.companyId,
    details: { mode: identity.mode, purpose, digest: encodeHex(message) },
  })
  return signature
}

/** Signed to the end; throws `transaction_invalid` where others have to sign too. */
export const signWhole =
  (deps: SigningDependencies) =>
  async (tx: Transaction, signing: Signing, transaction: UnsignedTransaction): Promise<SignedTransaction> => {
    const signed = await addSignatures(deps)(tx, signing, transaction)
    const complete = completeTransaction(signed, nodePrimitives)
    if (complete !== undefined) return complete
    const lacking = wantedSignatures(signed, nodePrimitives).map(
      ({ inputIndex, publicKey }) => `/inputs/${inputIndex} lacks the signature of ${publicKey}`,
    )
    throw new Problem('transaction_invalid', {
      details: [...lacking.slice(0, 10), 'Several owners sign with /transactions/partial-sign'],
    })
  }

/** What proof says of a transaction, as an answer. */
export const refusing = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidTransaction)
      throw new Problem('transaction_invalid', { details: [error.message.slice(0, 400)], cause: error })
    throw error
  }
}
