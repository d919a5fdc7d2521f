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
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { IdentityWithKey } from '../identities/signing-identity.ts'
import type { Actor } from './keep-records.ts'

export type SigningDependencies = Pick<KmDependencies, 'vault'>

export type Signing = {
  readonly identity: IdentityWithKey
  readonly by: Actor
  /** As operations are called: `transactions.sign` */
  readonly purpose: string
  /** Writes the use of the key down: one that is not recorded does not count. */
  readonly write: (entry: AuditEntry) => Promise<void>
}

/** With the signatures this identity can give; throws `transaction_invalid` where that is none. */
export const addSignatures =
  (deps: SigningDependencies) =>
  async (signing: Signing, transaction: UnsignedTransaction): Promise<UnsignedTransaction> => {
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
      given.push({ inputIndex, publicKey, signature: await useKey(deps, signing, message) })
    }
    return attachSignatures(transaction, given, nodePrimitives)
  }

/** Written down with the digest that was signed. */
const useKey = async (
  { vault }: SigningDependencies,
  { identity, by, purpose, write }: Signing,
  message: Uint8Array,
): Promise<Uint8Array> => {
  const signature = await vault.sign(identity.root, identity.path, message)
  await write({
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
  async (signing: Signing, transaction: UnsignedTransaction): Promise<SignedTransaction> => {
    const signed = await addSignatures(deps)(signing, transaction)
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
