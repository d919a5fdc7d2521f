import type { Certificate, Direction, Mode } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { TextQuery } from '../certificates/search-words.ts'

/** From this time on, and before that one. */
export type Period = { readonly from: Date | undefined; readonly to: Date | undefined }

export type CertificateFilter = {
  /** The issuer or, for received certificates, the receiver. */
  readonly companyId: string
  readonly direction: Direction
  readonly mode: Mode
  readonly state: Certificate['state'] | undefined
  /** The beginning of the hash of the JSON or of the PDF, in lower case. */
  readonly hash: string | undefined
  readonly identityId: string | undefined
  readonly family: string | undefined
  readonly created: Period
  readonly notarized: Period
  readonly text: TextQuery | undefined
}

export type Range = { readonly after: string | undefined; readonly limit: number }

export const idsIn = async (
  query: Query,
  statement: RawBuilder<{ id: string }>,
): Promise<readonly string[]> => (await statement.execute(query)).rows.map(({ id }) => id)

export const both = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join([...conditions], sql` and `)

export const rowsOf = ({ direction }: CertificateFilter): RawBuilder<unknown> =>
  direction === 'issued'
    ? sql`certificates`
    : sql`(
        select certificate_id as id, company_id, mode, 'notarized' as state, false as awaits_release, identity_id, family, recorded_at,
          number, party
        from certificate_receivers
      )`

export const textsOf = ({ direction }: CertificateFilter): RawBuilder<unknown> =>
  direction === 'issued' ? sql`certificate_texts` : sql`received_texts`

export type Order = { readonly by: RawBuilder<unknown>; readonly next: readonly RawBuilder<unknown>[] }

export const byId = (after: string | undefined): Order => ({
  by: sql`c.id desc`,
  next: after === undefined ? [] : [sql`c.id < ${after}::uuid`],
})

export const byNotarization = (filter: CertificateFilter, after: string | undefined): Order => ({
  by: sql`c.recorded_at desc, c.id desc`,
  next:
    after === undefined
      ? []
      : [
          sql`(c.recorded_at, c.id) < (select n.recorded_at, n.id from ${rowsOf(filter)} n
            where n.id = ${after}::uuid and n.company_id = ${filter.companyId}::uuid)`,
        ],
})

export const isOrderedByNotarization = ({ direction, notarized }: CertificateFilter): boolean =>
  direction === 'received' || notarized.from !== undefined || notarized.to !== undefined

export const scopeOf = (filter: CertificateFilter): readonly RawBuilder<unknown>[] => [
  sql`c.company_id = ${filter.companyId}::uuid`,
  sql`c.mode = ${filter.mode}`,
  ...factsOf(filter),
]

const inState = (state: Certificate['state']): readonly RawBuilder<unknown>[] => {
  if (state === 'awaitingRelease') return [sql`c.awaits_release`]
  return state === 'accepted'
    ? [sql`c.state = ${state}`, sql`not c.awaits_release`]
    : [sql`c.state = ${state}`]
}

/** Conditions on `c` besides its company and mode. */
export const factsOf = ({
  state,
  hash,
  identityId,
  family,
  created,
  notarized,
}: CertificateFilter): readonly RawBuilder<unknown>[] => [
  ...(state === undefined ? [] : inState(state)),
  ...(identityId === undefined ? [] : [sql`c.identity_id = ${identityId}::uuid`]),
  ...(family === undefined ? [] : [sql`c.family = ${family}`]),
  // The id begins with the time of creation.
  ...(created.from === undefined ? [] : [sql`c.id >= ${uuidv7Bound(created.from.getTime())}::uuid`]),
  ...(created.to === undefined ? [] : [sql`c.id < ${uuidv7Bound(created.to.getTime())}::uuid`]),
  ...notarizedIn(notarized),
  ...(hash === undefined ? [] : [hasHash(hash)]),
]

export const notarizedIn = ({ from, to }: Period): readonly RawBuilder<unknown>[] => [
  ...(from === undefined && to === undefined ? [] : [sql`c.recorded_at is not null`]),
  ...(from === undefined ? [] : [sql`c.recorded_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`c.recorded_at < ${to}`]),
]

/** An array, so that it is looked up first, not tested for one certificate after the other. */
const hasHash = (hash: string): RawBuilder<unknown> => sql`c.id = any (array(
  select id from certificates where hash collate "C" >= ${hash} and hash collate "C" < ${`${hash}~`}
  union all
  select id from certificates where pdf_hash collate "C" >= ${hash} and pdf_hash collate "C" < ${`${hash}~`}
))`

/** Null for a certificate without words, and for one of another company: then nothing comes after it. */
export const placeOf = (filter: CertificateFilter, id: string): RawBuilder<unknown> =>
  sql`select place from ${textsOf(filter)} where certificate_id = ${id}::uuid and company_id = ${filter.companyId}::uuid`

export type Texts = CertificateFilter & { readonly text: TextQuery }
