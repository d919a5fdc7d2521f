import { didOf, publicKeyOfDid } from '../identity/did-key.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import { decodeBase64Url } from '../encoding/base64.ts'
import type { LedgerObject, SignedTransaction } from '../ledger/transaction.ts'
import { InvalidTransaction } from '../ledger/transaction.ts'
import { isLogTime } from '../log/checkpoint.ts'
import { certificateSubject, keySubject } from '../status/subject.ts'

/** A later statement about a certificate or a key. Nothing is ever deleted from a log. */
export type Correction =
  | { readonly action: 'withdraw'; readonly transactionId: string; readonly reason: string }
  | {
      readonly action: 'replace'
      readonly transactionId: string
      /** The transaction of the new certificate. */
      readonly replacedBy: string
      readonly reason: string
    }
  | { readonly action: 'revoke-key'; readonly did: string; readonly since: string; readonly reason: string }

export const correctionType = 'correction'

/** Undefined for other transactions. Throws `InvalidTransaction` for a correction that no log may contain. */
export const readCorrection = (transaction: SignedTransaction): Correction | undefined => {
  if (transaction.operation !== 'CREATE' || transaction.asset.data?.['type'] !== correctionType)
    return undefined
  const { type: _type, action, reason, ...members } = transaction.asset.data
  if (typeof reason !== 'string' || reason.length === 0 || [...reason].length > maxReasonLength)
    throw invalid(`the reason must be a text of 1 to ${maxReasonLength} characters`)
  if (action === 'withdraw') {
    const { transactionId } = texts(members, { transactionId: isTransactionId })
    return { action, transactionId, reason }
  }
  if (action === 'replace') {
    const { transactionId, replacedBy } = texts(members, {
      transactionId: isTransactionId,
      replacedBy: isTransactionId,
    })
    if (transactionId === replacedBy) throw invalid('a certificate cannot replace itself')
    return { action, transactionId, replacedBy, reason }
  }
  if (action === 'revoke-key') {
    const { did, since } = texts(members, { did: isDidKey, since: isLogTime })
    return { action, did, since, reason }
  }
  throw invalid('the action must be withdraw, replace or revoke-key')
}

const maxReasonLength = 500

const texts = <Name extends string>(
  members: LedgerObject,
  checks: Readonly<Record<Name, (text: string) => boolean>>,
): Readonly<Record<Name, string>> => {
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(checks, name))
  if (unknown !== undefined) throw invalid(`${unknown} is not a member of this action`)
  const found: Record<string, string> = {}
  for (const [name, isRight] of Object.entries<(text: string) => boolean>(checks)) {
    const value = members[name]
    if (typeof value !== 'string' || !isRight(value)) throw invalid(`${name} is missing or malformed`)
    found[name] = value
  }
  return found as Record<Name, string>
}

const isTransactionId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const isDidKey = (text: string): boolean => {
  try {
    return didOf(publicKeyOfDid(text)) === text
  } catch {
    return false
  }
}

const invalid = (reason: string): InvalidTransaction =>
  new InvalidTransaction('ValidationError', `correction: ${reason}`)

export const subjectOf = (correction: Correction): string =>
  correction.action === 'revoke-key'
    ? keySubject(correction.did)
    : certificateSubject(correction.transactionId)

/** tag, length, tag and length of the key, of an Ed25519 fulfillment. */
const plainFulfillment = [0xa4, 0x64, 0x80, 0x20]

/** The DID of the one key that signed a transaction; undefined if several did, or could have. */
export const signerOf = ({ inputs }: SignedTransaction): string | undefined => {
  const [owner, ...others] = inputs.flatMap(({ owners_before }) => owners_before)
  const [input] = inputs
  if (owner === undefined || input === undefined || others.length > 0) return undefined
  const bytes = decodeBase64Url(input.fulfillment)
  return plainFulfillment.every((byte, at) => bytes[at] === byte) ? didOf(decodeBase58(owner)) : undefined
}

export type CorrectionParties = {
  /** Signed the correction. */
  readonly signer: string | undefined
  /** Signed the certificate, or is the key in question. */
  readonly issuer: string | undefined
  readonly operator: string | undefined
  /** Named by the first recorded identity of the key. */
  readonly recovery?: string | undefined
}

export type CorrectedBy = 'issuer' | 'operator' | 'recovery'

/** In which role the signer may correct; undefined if it may not. */
export const correctedBy = (
  { action }: { readonly action: Correction['action'] },
  { signer, issuer, operator, recovery }: CorrectionParties,
): CorrectedBy | undefined => {
  if (signer === undefined) return undefined
  if (signer === operator) return 'operator'
  if (signer === issuer) return 'issuer'
  return action === 'revoke-key' && signer === recovery ? 'recovery' : undefined
}

/** The key that may revoke the key of this identity; undefined if the transaction is not an identity, or names none. */
export const recoveryOf = (identity: SignedTransaction): string | undefined => {
  const data = identity.operation === 'CREATE' ? identity.asset.data : null
  const recovery = data?.['type'] === 'identity' ? data['recoveryDid'] : undefined
  return typeof recovery === 'string' && isDidKey(recovery) ? recovery : undefined
}
