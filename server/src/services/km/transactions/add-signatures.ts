import { because } from '@millseal/contract/reasons'
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
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Actor } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { IdentityWithKey } from '../keys/signing-identity.ts'

export type Signing = {
  readonly identity: IdentityWithKey
  readonly by: Actor
  /** As operations are called: `transactions.sign` */
  readonly purpose: string
  /** The audit entry of each signature is written here, or in a transaction of its own if undefined. */
  readonly tx: Transaction | undefined
}

/** Adds all signatures that this identity can give; throws `transaction_invalid` if there are none to give. */
export const addSignatures = async (
  deps: KmDependencies,
  signing: Signing,
  transaction: UnsignedTransaction,
): Promise<UnsignedTransaction> => {
  const { publicKey } = signing.identity
  const wanted = wantedSignatures(transaction, nodePrimitives).filter(
    (signature) => signature.publicKey === publicKey,
  )
  if (wanted.length === 0) {
    throw new Problem('transaction_invalid', {
      reasons: [because('no_input_to_sign', { place: '/inputs' })],
    })
  }
  const given: GivenSignature[] = []
  for (const { inputIndex, message } of wanted) {
    given.push({ inputIndex, publicKey, signature: await sign(deps, signing, message) })
  }
  return attachSignatures(transaction, given, nodePrimitives)
}

/** Returns a signature only after the use of the key is in the audit log. */
const sign = async (
  { vault, audit, grouped }: KmDependencies,
  { identity, by, purpose, tx }: Signing,
  message: Uint8Array,
): Promise<Uint8Array> => {
  const signature = await vault.sign(identity.root, identity.path, message)
  const entry: AuditEntry = {
    ...by,
    action: 'keys.sign',
    subject: `identity:${identity.id}`,
    companyId: identity.companyId,
    details: { mode: identity.mode, purpose, digest: encodeHex(message) },
  }
  await (tx === undefined ? grouped.auditKeyUse(entry) : audit.write(tx, entry))
  return signature
}

/** Returns a transaction with all signatures; throws `transaction_invalid` if other keys must sign too. */
export const signCompletely = async (
  deps: KmDependencies,
  signing: Signing,
  transaction: UnsignedTransaction,
): Promise<SignedTransaction> => {
  const signed = await addSignatures(deps, signing, transaction)
  const complete = completeTransaction(signed, nodePrimitives)
  if (complete !== undefined) return complete
  const missing = wantedSignatures(signed, nodePrimitives).map(({ inputIndex, publicKey }) =>
    because('signature_missing', { publicKey, place: `/inputs/${inputIndex}` }),
  )
  throw new Problem('transaction_invalid', {
    reasons: [...missing.slice(0, 10), because('sign_partially')],
  })
}

/** Runs `work`, and turns an `InvalidTransaction` into `transaction_invalid`. */
export const rejectInvalid = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error
    throw new Problem('transaction_invalid', {
      reasons: [because('transaction_refused', { why: error.message.slice(0, 400) })],
      cause: error,
    })
  }
}
