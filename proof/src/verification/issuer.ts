import { encodeBase58 } from '../encoding/base58.ts'
import { signerOf } from '../corrections/correction.ts'
import { publicKeyOfDid } from '../identity/did-key.ts'
import { isLogTime } from '../log/checkpoint.ts'
import type { LedgerObject, SignedTransaction } from '../ledger/transaction.ts'
import type { TrustPolicy } from './policy.ts'
import type { Answer } from './verdict.ts'

export type Issuer = {
  readonly answer: Answer
  /** The key that signed the certificate; undefined if several did. */
  readonly did: string | undefined
  /** Why the issuer is known. */
  readonly knownBy?: 'policy' | 'review'
  /** The name in the policy, or in the review; otherwise the name that the key gave itself. */
  readonly name?: string
  /** The name that the key gave itself, if the review has another one. Nobody confirms it. */
  readonly selfName?: string
  readonly vatId?: string
  /** Set if the issuer is known by a review. */
  readonly review?: {
    readonly reviewedAt: string
    readonly evidence: string
    /** The operator of the log is the issuer itself. */
    readonly isOwn: boolean
  }
}

export type IssuerClaim = {
  /** The certificate. All transactions must be verified and recorded on the same log. */
  readonly certificate: SignedTransaction
  readonly identity: SignedTransaction | undefined
  readonly review: SignedTransaction | undefined
  /** When the log recorded the review, if its entry has a time. */
  readonly recordedAt?: string | undefined
  /** The DID of the operator of that log. */
  readonly operator: string | undefined
  readonly policy: Pick<TrustPolicy, 'issuers' | 'onlyKnownIssuers'>
}

/** Who signed a certificate: known by the policy, or by a review of the operator of the log. */
export const issuerOf = (claim: IssuerClaim): Issuer => {
  const { certificate, identity, review, policy } = claim
  const did = signerOf(certificate)
  if (did === undefined) return { answer: 'no', did }
  const published = identity === undefined ? undefined : publishedBy(did, identity)
  const known = policy.issuers.find((issuer) => issuer.did === did)
  if (known !== undefined)
    return { answer: 'yes', did, knownBy: 'policy', name: known.name, ...optional('vatId', published?.vatId) }
  const reviewed =
    published === undefined || review === undefined
      ? undefined
      : reviewedBy(claim, review, { did, vatId: published.vatId })
  const name = reviewed?.company ?? published?.company
  const facts = {
    did,
    ...optional('name', name),
    ...optional('selfName', published?.company === name ? undefined : published?.company),
    ...optional('vatId', published?.vatId),
    ...(reviewed === undefined ? {} : { knownBy: 'review' as const, review: reviewed.review }),
  }
  if (policy.onlyKnownIssuers) return { answer: 'no', ...facts }
  return { answer: reviewed === undefined ? 'unknown' : 'yes', ...facts }
}

const optional = <Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Readonly<Record<Name, string>>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, string>)

/** The company that the key itself claims to belong to. */
const publishedBy = (
  did: string,
  identity: SignedTransaction,
): { readonly company: string; readonly vatId: string } | undefined => {
  const data = assetOf(identity)
  const isItsOwn =
    data?.['type'] === 'identity' &&
    data['did'] === did &&
    data['publicKey'] === encodeBase58(publicKeyOfDid(did)) &&
    signerOf(identity) === did
  const { company, vatId } = data ?? {}
  return isItsOwn && typeof company === 'string' && typeof vatId === 'string' ? { company, vatId } : undefined
}

/** The clocks of an operator's machines may differ: the log itself allows as much. */
const toleranceMs = 60_000

const reviewedBy = (
  { operator, recordedAt }: IssuerClaim,
  review: SignedTransaction,
  { did, vatId }: { readonly did: string; readonly vatId: string },
): { readonly company: string; readonly review: Issuer['review'] & object } | undefined => {
  const data = assetOf(review)
  const isOfThisKey = data?.['type'] === 'review' && data['did'] === did && data['vatId'] === vatId
  if (!isOfThisKey || operator === undefined || signerOf(review) !== operator) return undefined
  const { company, reviewedAt, evidence } = data
  return typeof company === 'string' &&
    typeof reviewedAt === 'string' &&
    isLogTime(reviewedAt) &&
    Date.parse(reviewedAt) <= Date.parse(recordedAt ?? reviewedAt) + toleranceMs &&
    typeof evidence === 'string'
    ? { company, review: { reviewedAt, evidence, isOwn: operator === did } }
    : undefined
}

const assetOf = (transaction: SignedTransaction): LedgerObject | null =>
  transaction.operation === 'CREATE' ? transaction.asset.data : null
