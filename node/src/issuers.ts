import { signerOf, type SignedTransaction } from '@millseal/proof'
import type { Entry } from '@millseal/replay'

type NamedEntry = {
  readonly index: number
  readonly id: string
  readonly vatId: string
  readonly time: string
}

/** Where a log says whose a key is. */
export type Issuer = {
  /** What the key says of itself. */
  readonly identities: NamedEntry[]
  /** What the operator of the log says. */
  readonly reviews: NamedEntry[]
  /** Reviews that the operator took back. */
  readonly ends: { readonly review: string; readonly since: string }[]
}

export type Issuers = {
  add(entry: Entry, index: number): void
  /** The entries that belong beside a certificate of this time, in the first `size` of the log. */
  recordsOf(did: string, of: { readonly time: string; readonly size: number }): IssuerRecords
  readonly state: IssuersState
}

export type IssuersState = readonly (readonly [string, Issuer])[]

export type IssuerRecords = {
  readonly identity: number | undefined
  readonly review: number | undefined
}

export const restoreIssuers = (state: IssuersState, operator: string | undefined): Issuers => {
  const issuers = new Map(state)
  const issuerOf = (did: string): Issuer => {
    const issuer = issuers.get(did) ?? { identities: [], reviews: [], ends: [] }
    issuers.set(did, issuer)
    return issuer
  }
  return {
    add({ transaction, time = '' }, index) {
      const { type, did, vatId, subject, review, since } = textsOf(transaction)
      const signer = signerOf(transaction)
      const record = { index, id: transaction.id, vatId: vatId ?? '', time }
      if (did !== undefined && type === 'identity' && signer === did) issuerOf(did).identities.push(record)
      if (operator === undefined || signer !== operator) return
      if (did !== undefined && type === 'review') issuerOf(did).reviews.push(record)
      const reviewed = subject?.startsWith('review ') === true ? subject.slice('review '.length) : undefined
      if (type === 'withdraw-review' && reviewed !== undefined && review !== undefined && since !== undefined)
        issuerOf(reviewed).ends.push({ review, since })
    },
    recordsOf(did, { time, size }) {
      const { identities = [], reviews = [], ends = [] } = issuers.get(did) ?? {}
      const valid = reviews.filter(
        ({ id, index }) => index < size && !ends.some((end) => end.review === id && end.since <= time),
      )
      const review = valid.findLast((one) => one.time <= time) ?? valid[0]
      const known = identities.filter(({ index }) => index < size)
      const identity = known.findLast(({ vatId }) => vatId === review?.vatId) ?? known.at(-1)
      return { identity: identity?.index, review: review?.index }
    },
    get state() {
      return [...issuers]
    },
  }
}

const textsOf = (transaction: SignedTransaction): Readonly<Partial<Record<string, string>>> => {
  const data = transaction.operation === 'CREATE' ? transaction.asset.data : null
  return Object.fromEntries(
    Object.entries(data ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
