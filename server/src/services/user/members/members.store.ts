import type { MemberRole, Role } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** What the members of a company see of each other. */
export type Person = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly status: 'active' | 'inactive'
  readonly emailConfirmed: boolean
  readonly onBoarded: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type StoredMember = {
  readonly companyId: string
  readonly user: Person
  readonly role: MemberRole
  readonly since: Date
}

type MemberTables = {
  company_members: { company_id: string; user_id: string; role: MemberRole; since: Date }
  users: {
    id: string
    username: string
    email: string
    role: Role
    status: 'active' | 'inactive'
    email_confirmed_at: Date | null
    on_boarded: boolean
    created_at: Date
    updated_at: Date
  }
}

export type NewMember = { readonly companyId: string; readonly userId: string; readonly role: MemberRole }

/** False when the user is not there any more. */
export const insertMember = async (
  tx: Query,
  { companyId, userId, role }: NewMember,
  now: Date,
): Promise<boolean> => {
  const inserted = await tx
    .withTables<MemberTables>()
    .insertInto('company_members')
    .columns(['company_id', 'user_id', 'role', 'since'])
    .expression((build) =>
      build
        .selectFrom('users')
        .select((of) => [
          of.cast<string>(of.val(companyId), 'uuid').as('company_id'),
          'id as user_id',
          of.cast<MemberRole>(of.val(role), 'text').as('role'),
          of.cast<Date>(of.val(now), 'timestamptz').as('since'),
        ])
        .where('id', '=', userId)
        .forKeyShare(),
    )
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Longest-standing first. */
export const findMembers = async (query: Query, companyIds: readonly string[]): Promise<StoredMember[]> => {
  const rows = await membersWithUsers(query)
    .where('m.company_id', '=', sql<string>`any(${[...companyIds]}::uuid[])`)
    .orderBy('m.since')
    .orderBy('m.user_id')
    .execute()
  return rows.map(toMember)
}

/** Newest user first. */
export const findMemberPage = async (
  query: Query,
  companyId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredMember[]> => {
  const rows = await membersWithUsers(query)
    .where('m.company_id', '=', companyId)
    .$if(after !== undefined, (some) => some.where('m.user_id', '<', after ?? null))
    .orderBy('m.user_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMember)
}

export const updateMemberRole = async (tx: Query, { companyId, userId, role }: NewMember): Promise<void> => {
  await tx
    .withTables<MemberTables>()
    .updateTable('company_members')
    .set({ role })
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .execute()
}

export const deleteMember = async (tx: Query, companyId: string, userId: string): Promise<void> => {
  await tx
    .withTables<MemberTables>()
    .deleteFrom('company_members')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .execute()
}

const membersWithUsers = (query: Query) =>
  query
    .withTables<MemberTables>()
    .selectFrom('company_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.company_id', 'm.role as member_role', 'm.since'])
    .select(['u.id', 'u.username', 'u.email', 'u.role', 'u.status', 'u.email_confirmed_at', 'u.on_boarded'])
    .select(['u.created_at', 'u.updated_at'])

type MemberRow = MemberTables['users'] & { company_id: string; member_role: MemberRole; since: Date }

const toMember = (row: MemberRow): StoredMember => ({
  companyId: row.company_id,
  role: row.member_role,
  since: row.since,
  user: {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    status: row.status,
    emailConfirmed: row.email_confirmed_at !== null,
    onBoarded: row.on_boarded,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  },
})
