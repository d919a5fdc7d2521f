import type { MemberRole } from '@millseal/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { CompanyMembers } from '../../../ports/database/tables.ts'
import type { Person } from '../users/users.store.ts'
import { storedRole } from './stored-role.ts'

/** A user in one company. `role` is that of the account, `memberRole` that in the company. */
export type StoredMember = Person &
  Pick<Selectable<CompanyMembers>, 'companyId' | 'since'> & { readonly memberRole: MemberRole }

export type NewMember = Omit<Insertable<CompanyMembers>, 'since' | 'role' | 'duty'> & {
  readonly role: MemberRole
}

/** Of `m`. A process of the release before may have changed `role` without `duty`. */
export const memberRole = sql<MemberRole>`case m.role when 'operator' then coalesce(m.duty, m.role) else m.role end`

/** False if the user no longer exists. */
export const insertMember = async (
  tx: Query,
  { companyId, userId, role, isAdded = false }: NewMember,
  now: Date,
): Promise<boolean> => {
  const stored = storedRole(role)
  const { numAffectedRows } = await sql`
    insert into company_members (company_id, user_id, role, duty, since, is_added)
    select ${companyId}::uuid, id, ${stored.role}::text, ${stored.duty}::text, ${now}::timestamptz, ${isAdded}::boolean from users where id = ${userId}
    for key share`.execute(tx)
  return numAffectedRows === 1n
}

/** Longest-standing first. */
export const findMembers = (query: Query, companyIds: readonly string[]): Promise<StoredMember[]> =>
  selectMembers(query)
    .where('m.companyId', '=', sql<string>`any(${companyIds}::uuid[])`)
    .orderBy('m.since')
    .orderBy('m.userId')
    .execute()

/** Newest user first. */
export const findMemberPage = (
  query: Query,
  companyId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredMember[]> => {
  const members = selectMembers(query)
    .where('m.companyId', '=', companyId)
    .orderBy('m.userId', 'desc')
    .limit(limit)
  return (after === undefined ? members : members.where('m.userId', '<', after)).execute()
}

export const updateMemberRole = async (tx: Query, { companyId, userId, role }: NewMember): Promise<void> => {
  await tx
    .updateTable('companyMembers')
    .set(storedRole(role))
    .where('companyId', '=', companyId)
    .where('userId', '=', userId)
    .execute()
}

export const deleteMember = async (tx: Query, companyId: string, userId: string): Promise<void> => {
  await tx
    .deleteFrom('companyMembers')
    .where('companyId', '=', companyId)
    .where('userId', '=', userId)
    .execute()
}

const selectMembers = (query: Query) =>
  query
    .selectFrom('companyMembers as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.companyId', 'm.since', memberRole.as('memberRole')])
    .select([
      'u.id',
      'u.username',
      'u.email',
      'u.role',
      'u.status',
      'u.emailConfirmedAt',
      'u.onBoarded',
      'u.language',
    ])
    .select(['u.createdAt', 'u.updatedAt'])
