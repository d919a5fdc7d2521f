import type { Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { eraseBatch } from '../../../lib/erase.ts'
import type { Query } from '../../../ports/database/database.ts'
import { givenArray } from '../../../ports/database/given-array.ts'
import type { CompanyMails } from '../../../ports/database/tables.ts'

export type StoredCompanyMail = Selectable<CompanyMails>

export type MailKind =
  | 'certificate'
  | 'correction'
  | 'revocation'
  | 'alarm'
  | 'failure'
  | 'release'
  | 'foreign_name'
  | 'webhook'
  | 'invitation'

/** What a company mails somebody about. */
export type MailSubject = {
  readonly companyId: string
  readonly mode: Mode
  readonly kind: MailKind
  readonly about: string
  /** One more each time somebody sends the mails again. */
  readonly again?: number
}

export type CompanyMailTo = MailSubject & { readonly address: string }

export const findCompanyMails = (
  query: Query,
  wanted: {
    readonly companyId: string
    readonly abouts: readonly string[]
    readonly addresses: readonly string[]
  },
): Promise<StoredCompanyMail[]> =>
  query
    .selectFrom('companyMails')
    .selectAll()
    .where('companyId', '=', wanted.companyId)
    .where('about', '=', sql<string>`any(${[...wanted.abouts]}::text[])`)
    .where('address', '=', sql<string>`any(${[...wanted.addresses]}::text[])`)
    .execute()

/** When the company was last to mail somebody about something of this kind. */
export const findLastMail = async (
  query: Query,
  { companyId, kind }: { readonly companyId: string; readonly kind: MailKind },
): Promise<Date | undefined> => {
  const found = await query
    .selectFrom('companyMails')
    .select('createdAt')
    .where('companyId', '=', companyId)
    .where('kind', '=', kind)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.createdAt
}

export const findMailsAbout = (
  query: Query,
  { companyId, about }: { readonly companyId: string; readonly about: string },
): Promise<StoredCompanyMail[]> =>
  query
    .selectFrom('companyMails')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('about', '=', about)
    .orderBy('createdAt')
    .orderBy('address')
    .execute()

export type MailCounts = { readonly waiting: number; readonly failed: number }

export const countCompanyMails = async (query: Query, since: Date): Promise<MailCounts> => {
  const { rows } = await sql<MailCounts>`
    select
      (select count(*)::int from company_mails
        where held_back is null and refusal is null and sent_at is null) as waiting,
      (select count(*)::int from company_mails where refusal is not null and created_at > ${since}) as failed`.execute(
    query,
  )
  return rows[0] ?? { waiting: 0, failed: 0 }
}

export const findCompanyMail = (query: Query, id: string): Promise<StoredCompanyMail | undefined> =>
  query.selectFrom('companyMails').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns what it inserted: without mails that another transaction recorded first. */
export const insertCompanyMails = async (
  tx: Query,
  mails: readonly Insertable<CompanyMails>[],
): Promise<StoredCompanyMail[]> => {
  if (mails.length === 0) return []
  return await tx
    .insertInto('companyMails')
    .values(mails)
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'kind', 'about', 'address', 'again']).doNothing(),
    )
    .returningAll()
    .execute()
}

/** How a mail ends: it was sent or saved as a file, refused by the mail server, or not sent at all. */
export type MailEnd = { readonly id: string } & (
  | { readonly sentAt: Date; readonly isSaved: boolean }
  | { readonly refusal: string }
  | { readonly heldBack: 'unsubscribed' | 'bounced' }
)

export const endCompanyMails = async (query: Query, ends: readonly MailEnd[]): Promise<void> => {
  const each = (name: 'id' | 'sentAt' | 'refusal' | 'heldBack' | 'isSaved') =>
    ends.map((end: Partial<Record<typeof name, string | Date | boolean>>) => end[name] ?? null)
  await sql`
    update company_mails m set sent_at = coalesce(given.sent_at, m.sent_at),
      refusal = coalesce(given.refusal, m.refusal), held_back = coalesce(given.held_back, m.held_back),
      is_saved = coalesce(given.is_saved, m.is_saved)
    from unnest(
      ${givenArray(each('id'), 'uuid')}, ${givenArray(each('sentAt'), 'timestamptz')},
      ${givenArray(each('refusal'), 'text')}, ${givenArray(each('heldBack'), 'text')},
      ${givenArray(each('isSaved'), 'bool')}
    ) as given (id, sent_at, refusal, held_back, is_saved)
    where m.id = given.id`.execute(query)
}

export type MailingCompany = {
  readonly vatId: string
  readonly isVerified: boolean
  /**
   * The active members who confirmed their address, in lower case, longest first. Until the company is verified, without
   * those whom an admin added: they never agreed to its mails.
   */
  readonly members: readonly { readonly address: string; readonly isAdmin: boolean }[]
}

export const findMailingCompany = async (query: Query, companyId: string): Promise<MailingCompany> => {
  const { rows } = await sql<MailingCompany>`
    select c.vat_id, c.verified_at is not null as is_verified, coalesce((
      select json_agg(json_build_object('address', lower(u.email), 'isAdmin', m.role = 'admin') order by m.since, m.user_id)
      from company_members m join users u on u.id = m.user_id
      where m.company_id = c.id and u.status = 'active' and u.email_confirmed_at is not null
        and (c.verified_at is not null or not m.is_added)
    ), '[]') as members
    from companies c where c.id = ${companyId}`.execute(query)
  return rows[0] ?? { vatId: companyId, isVerified: false, members: [] }
}

/** What is older than its purpose; suppressions stay. Returns how many records of mails it deleted, at most a batch. */
export const eraseMailRecords = async (query: Query, before: Date): Promise<number> => {
  await sql`delete from mail_bounces where bounced_at < ${before}`.execute(query)
  const { numAffectedRows = 0n } = await sql`
    delete from company_mails where id in (
      select id from company_mails where created_at < ${before} order by created_at limit ${eraseBatch}
    )`.execute(query)
  return Number(numAffectedRows)
}
