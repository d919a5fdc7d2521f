import type { InboxAdvice, InboxState, Mode } from '@millseal/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { eraseBatch } from '../../../lib/erase.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { Inbox, InboxAnswers, InboxDecisions, InboxFiles } from '../../../ports/database/tables.ts'
import type { TextQuery } from '../certificates/search-words.ts'

export type StoredEntry = Selectable<Inbox>
export type StoredDecision = Selectable<InboxDecisions>
export type StoredAnswers = Selectable<InboxAnswers>
export type StoredFiles = Omit<Selectable<InboxFiles>, 'inboxId'>

/** What the list shows: an entry with the decision that made its state. */
export type ListedEntry = StoredEntry & {
  readonly decision: InboxDecisions['decision'] | null
  readonly reason: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly decidedVerdict: string | null
  readonly decidedChecked: string | null
  readonly decidedOrdered: string | null
  readonly hasJson: boolean
  readonly hasPdf: boolean
}

/** Of a company, and only what was filed if it may not receive. */
export type InboxScope = { readonly companyId: string; readonly mayReceive: boolean }

export type InboxFilter = InboxScope & {
  readonly mode: Mode
  readonly state: InboxState | undefined
  readonly advice: InboxAdvice | undefined
  readonly supplier: string | undefined
  readonly number: string | undefined
  readonly heat: string | undefined
  readonly text: TextQuery | undefined
}

const listed = (query: Query) =>
  query
    .selectFrom('inbox as i')
    .leftJoin('inboxDecisions as d', 'd.id', 'i.decisionId')
    .leftJoin('inboxFiles as f', 'f.inboxId', 'i.id')
    .selectAll('i')
    .select([
      'd.decision',
      'd.reason',
      'd.decidedBy',
      'd.decidedAt',
      'd.verdict as decidedVerdict',
      'd.checked as decidedChecked',
      'd.ordered as decidedOrdered',
      sql<boolean>`coalesce(f.body is not null, false)`.as('hasJson'),
      sql<boolean>`coalesce(f.pdf is not null, false)`.as('hasPdf'),
    ])

/** Common words are found among the newest entries; only words that are rare there are looked up in the index of all. */
export const findEntryPage = async (
  query: Query,
  filter: InboxFilter,
  page: Page,
): Promise<ListedEntry[]> => {
  const { text, ...others } = filter
  if (text === undefined) return findPage(query, conditionsOf(filter), page)
  const newest = sql`select i.id from inbox i where ${allOf(conditionsOf({ ...others, text: undefined }), page.after)}
    order by i.id desc limit ${newestEntries}`
  const near = sql<boolean>`i.id = any (array(${newest})) and ${hasWords(text)}`
  const found = await findPage(query, [near], page)
  return found.length === page.limit ? found : findPage(query, conditionsOf(filter), page)
}

const newestEntries = 1_000

const allOf = (conditions: readonly RawBuilder<boolean>[], after: string | undefined) => {
  const older = after === undefined ? [] : [sql<boolean>`i.id < ${after}::uuid`]
  return sql<boolean>`${sql.join([...conditions, ...older], sql` and `)}`
}

const hasWords = ({ patterns }: TextQuery) =>
  sql<boolean>`(' ' || i.words) like all (${[...patterns]}::text[])`

const findPage = (
  query: Query,
  conditions: readonly RawBuilder<boolean>[],
  { limit, after }: Page,
): Promise<ListedEntry[]> =>
  listed(query).where(allOf(conditions, after)).orderBy('i.id', 'desc').limit(limit).execute()

const conditionsOf = (filter: InboxFilter): RawBuilder<boolean>[] => {
  const { companyId, mode, mayReceive, state, advice, supplier, number, heat, text } = filter
  const unless = (value: unknown, condition: RawBuilder<boolean>): RawBuilder<boolean>[] =>
    value === undefined ? [] : [condition]
  return [
    sql<boolean>`i.company_id = ${companyId}::uuid`,
    sql<boolean>`i.mode = ${mode}`,
    ...(mayReceive ? [] : [sql<boolean>`i.source = 'filed'`]),
    ...unless(state, sql`i.state = ${state}`),
    // Only what is open has an advice to follow; the index has no other.
    ...unless(advice, sql`i.state = 'new' and i.advice = ${advice}`),
    ...unless(supplier, sql`i.supplier = ${supplier}`),
    ...unless(number, sql`i.number = ${number}`),
    // An array first: the plan for all values would read the list of the company until it has found a page, or to its end.
    ...unless(
      heat,
      sql`i.id = any (array(
        select h.id from inbox h where h.company_id = ${companyId}::uuid and h.heats @> ${[heat ?? '']}::text[]
      ))`,
    ),
    ...(text === undefined
      ? []
      : [sql<boolean>`text_grams(i.words) @> ${[...text.grams]}::text[]`, hasWords(text)]),
  ]
}

const visible = ({ companyId, mayReceive }: InboxScope): RawBuilder<boolean> =>
  sql`i.company_id = ${companyId}::uuid and (i.source = 'filed' or ${mayReceive}::boolean)`

/** In any order. */
export const findListedEntries = (
  query: Query,
  scope: InboxScope,
  ids: readonly string[],
): Promise<ListedEntry[]> =>
  listed(query)
    .where('i.id', '=', sql<string>`any (${[...ids]}::uuid[])`)
    .where(visible(scope))
    .execute()

/** Locked until the transaction ends, in the same order everywhere. */
export const lockEntries = (tx: Query, scope: InboxScope, ids: readonly string[]): Promise<StoredEntry[]> =>
  tx
    .selectFrom('inbox as i')
    .selectAll('i')
    .where('i.id', '=', sql<string>`any (${[...ids]}::uuid[])`)
    .where(visible(scope))
    .orderBy('i.id')
    .forUpdate()
    .execute()

export const findEntry = (query: Query, id: string): Promise<StoredEntry | undefined> =>
  query.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirst()

/** The entry of these bytes: as they were filed, or as they were notarized for the company. */
export const findSame = async (
  query: Query,
  {
    companyId,
    mode,
    fileHash,
    hash,
    mayReceive,
  }: InboxScope & { readonly mode: Mode; readonly fileHash: string; readonly hash: string | undefined },
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from inbox where company_id = ${companyId}::uuid and mode = ${mode} and file_hash = ${fileHash}
    union all
    select id from inbox where ${mayReceive}::boolean and source = 'notarized' and company_id = ${companyId}::uuid and mode = ${mode}
      and (pdf_hash = ${fileHash} or hash = ${hash ?? null})
    limit 1`.execute(query)
  return rows[0]?.id
}

/** Undefined if there is an entry of the same bytes. */
export const insertEntry = async (
  tx: Query,
  entry: Readonly<
    Record<'id' | 'companyId' | 'fileHash', string> &
      Record<'fileName' | 'pdfHash' | 'against', string | null>
  > & { readonly mode: Mode; readonly createdAt: Date },
): Promise<boolean> => {
  const row = await tx
    .insertInto('inbox')
    .values({ ...entry, source: 'filed', state: 'new' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const insertFiles = async (tx: Query, inboxId: string, { body, pdf }: StoredFiles): Promise<void> => {
  await tx
    .insertInto('inboxFiles')
    .values({ inboxId, body, pdf })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is kept; of a certificate that was not answered yet, what its issuer has. */
export const findFiles = async (
  query: Query,
  { id, certificateId }: StoredEntry,
): Promise<StoredFiles & { readonly isKept: boolean }> => {
  const kept = await query
    .selectFrom('inboxFiles')
    .select(['body', 'pdf'])
    .where('inboxId', '=', id)
    .executeTakeFirst()
  if (kept !== undefined) return { ...kept, isKept: true }
  const { rows } = await sql<StoredFiles>`
    select body, pdf from certificates where id = ${certificateId}::uuid`.execute(query)
  return { body: rows[0]?.body ?? null, pdf: rows[0]?.pdf ?? null, isKept: false }
}

/** One that was notarized for the company, with this number, of this supplier, and other content. */
export const findOriginal = async (
  query: Query,
  wanted: InboxScope & {
    readonly mode: Mode
    readonly number: string
    readonly supplier: string
    readonly hash: string
  },
): Promise<StoredEntry | undefined> =>
  query
    .selectFrom('inbox as i')
    .selectAll('i')
    .where(visible(wanted))
    .where('i.mode', '=', wanted.mode)
    .where('i.source', '=', 'notarized')
    .where('i.number', '=', wanted.number)
    .where('i.supplier', '=', wanted.supplier)
    .where('i.hash', '<>', wanted.hash)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findAnswers = (query: Query, inboxId: string): Promise<StoredAnswers | undefined> =>
  query.selectFrom('inboxAnswers').selectAll().where('inboxId', '=', inboxId).executeTakeFirst()

/** Deletes what was kept long enough, with its decisions. Returns how many, at most a batch. */
export const eraseEntries = async (query: Query, before: Date): Promise<number> => {
  const { rows } = await sql`
    delete from inbox where id in (select id from inbox where created_at < ${before} limit ${eraseBatch})
    returning id`.execute(query)
  return rows.length
}
