import type { CompanyReference, Mode } from '@millseal/contract'
import { findLogReviews, type LogReview } from '../reviews/log-reviews.store.ts'
import type { ReviewEnd } from '../../user/index.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentitiesWithKeys, type StoredPublicIdentity } from './public-identities.store.ts'

/** A published identity, with the company that owns it. */
export type KnownIdentity = {
  readonly id: string
  readonly publicKey: string
  readonly did: string
  readonly company: CompanyReference
}

/** What is known here about a key. */
export type KnownIssuer = {
  /** Undefined once the company is deleted. */
  readonly identity: KnownIdentity | undefined
  /** The transaction on the ledger that published the identity. */
  readonly publicationId: string | undefined
  /** Reviews that logs have of it, newest first. */
  readonly reviews: readonly KnownReview[]
}

export type KnownReview = LogReview & {
  /** Set if a rejection took it back. */
  readonly end: ReviewEnd | undefined
}

/** By their public keys. */
export const findKnownIssuers = async (
  { database, users }: KmDependencies,
  mode: Mode,
  publicKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownIssuer>> => {
  const [found, reviews] = await Promise.all([
    findIdentitiesWithKeys(database.query, mode, publicKeys),
    findLogReviews(database.query, { mode, publicKeys }),
  ])
  const ends =
    reviews.length === 0
      ? new Map<string, ReviewEnd>()
      : await users.findReviewEnds(database.query, [...new Set(reviews.map(({ reviewId }) => reviewId))])
  const companyIds = [...new Set(found.map(({ companyId }) => companyId))]
  const companies = new Map(
    (await users.findCompaniesById(database.query, companyIds)).map((company) => [company.id, company]),
  )
  const byKey = new Map(found.map((identity) => [identity.publicKey, identity]))
  const known = reviews.map((review) => ({ ...review, end: ends.get(review.reviewId) }))
  const reviewsByKey = Map.groupBy(known, ({ publicKey }) => publicKey)
  return new Map(
    [...new Set([...byKey.keys(), ...reviewsByKey.keys()])].map((publicKey) => {
      const identity = byKey.get(publicKey)
      const recorded = reviewsByKey.get(publicKey) ?? []
      return [
        publicKey,
        {
          identity: identity && toKnown(identity, companies.get(identity.companyId)),
          publicationId: identity?.ledgerId ?? recorded[0]?.publicationId,
          reviews: recorded,
        },
      ]
    }),
  )
}

const toKnown = (
  { id, publicKey, did }: StoredPublicIdentity,
  company: CompanyReference | undefined,
): KnownIdentity | undefined => company && { id, publicKey, did, company }
