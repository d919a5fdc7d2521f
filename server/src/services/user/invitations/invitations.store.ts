import { type Insertable, type Selectable, sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { CompanyMails, Invitations } from '../../../ports/database/tables.ts'

export type StoredInvitation = Selectable<Invitations>

/** With what became of its mail. */
export type MailedInvitation = StoredInvitation &
  Pick<Selectable<CompanyMails>, 'heldBack' | 'refusal' | 'sentAt'>

export const insertInvitation = (tx: Query, invitation: Insertable<Invitations>): Promise<StoredInvitation> =>
  tx.insertInto('invitations').values(invitation).returningAll().executeTakeFirstOrThrow()

const mailed = (query: Query) =>
  query
    .selectFrom('invitations as i')
    .leftJoin('companyMails as m', (join) =>
      join
        .onRef('m.companyId', '=', 'i.companyId')
        .on('m.kind', '=', 'invitation')
        .on('m.about', '=', sql<string>`i.id::text`)
        .onRef('m.address', '=', 'i.address'),
    )
    .selectAll('i')
    .select(['m.heldBack', 'm.refusal', 'm.sentAt'])

export const findInvitation = (query: Query, id: string): Promise<MailedInvitation | undefined> =>
  mailed(query).where('i.id', '=', id).executeTakeFirst()

/** Newest first. */
export const findInvitationPage = (
  query: Query,
  companyId: string,
  { after, limit }: Page,
): Promise<MailedInvitation[]> => {
  const found = mailed(query).where('i.companyId', '=', companyId).orderBy('i.id', 'desc').limit(limit)
  return (after === undefined ? found : found.where('i.id', '<', after)).execute()
}

/** Locks the row until the transaction ends. */
export const lockOpenInvitation = (tx: Query, id: string, now: Date): Promise<StoredInvitation | undefined> =>
  openInvitations(tx, now).where('id', '=', id).forUpdate().executeTakeFirst()

export const findOpenInvitationOf = (
  query: Query,
  { companyId, address }: { readonly companyId: string; readonly address: string },
  now: Date,
): Promise<StoredInvitation | undefined> =>
  openInvitations(query, now)
    .where('companyId', '=', companyId)
    .where('address', '=', address)
    .executeTakeFirst()

export const findInvitationByLink = (
  query: Query,
  tokenHash: Uint8Array,
  now: Date,
): Promise<StoredInvitation | undefined> =>
  openInvitations(query, now)
    .where('id', '=', (of) =>
      of.selectFrom('invitationLinks').select('invitationId').where('tokenHash', '=', tokenHash),
    )
    .executeTakeFirst()

const openInvitations = (query: Query, now: Date) =>
  query
    .selectFrom('invitations')
    .selectAll()
    .where('acceptedAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .where('expiresAt', '>', now)

/** Counts all of them, also those that were withdrawn: each was a mail. */
export const countInvitationsSince = async (
  query: Query,
  companyId: string,
  since: Date,
): Promise<number> => {
  const { count } = await query
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export const insertInvitationLink = async (
  query: Query,
  { tokenHash, invitationId }: { readonly tokenHash: Uint8Array; readonly invitationId: string },
): Promise<void> => {
  await query
    .insertInto('invitationLinks')
    .values({ tokenHash: Buffer.from(tokenHash), invitationId })
    .execute()
}

export const endInvitation = async (
  tx: Query,
  id: string,
  end: { readonly acceptedAt: Date } | { readonly withdrawnAt: Date },
): Promise<void> => {
  await tx.updateTable('invitations').set(end).where('id', '=', id).execute()
}

export const eraseInvitations = async (query: Query, before: Date): Promise<void> => {
  await query.deleteFrom('invitations').where('createdAt', '<', before).execute()
}
