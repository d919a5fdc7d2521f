import type { Role } from '@millseal/contract'
import { type SqlBool, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type StoredUser = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly role: Role
  readonly status: 'active' | 'inactive'
  readonly emailConfirmed: boolean
  readonly onBoarded: boolean
  /** Takes the place of `email` once it is confirmed. */
  readonly newEmail: string | undefined
  /** Sessions that began earlier have ended, but for the one kept. */
  readonly sessionsValidFrom: Date | undefined
  readonly keptSessionId: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type UserTables = {
  users: {
    id: string
    username: string
    email: string
    password_hash: string
    role: Role
    status: 'active' | 'inactive'
    email_confirmed_at: Date | null
    on_boarded: boolean
    new_email: string | null
    sessions_valid_from: Date | null
    kept_session_id: string | null
    created_at: Date
    updated_at: Date
  }
}

type UserRow = UserTables['users']

export type NewUser = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly passwordHash: string
}

/** Nothing when the username or the address is taken, in whatever letter case. */
export const insertUser = async (tx: Query, user: NewUser, now: Date): Promise<StoredUser | undefined> => {
  const row = await tx
    .withTables<UserTables>()
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      role: 'USER',
      status: 'active',
      email_confirmed_at: null,
      on_boarded: false,
      new_email: null,
      sessions_valid_from: null,
      kept_session_id: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

export const findUser = async (query: Query, id: string): Promise<StoredUser | undefined> => {
  const row = await query
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

export const findUsers = async (query: Query, ids: readonly string[]): Promise<StoredUser[]> => {
  const rows = await query
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
  return rows.map(toUser)
}

export type Signer = StoredUser & { readonly hasMfa: boolean }

export const findSigners = async (
  query: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Signer>> => {
  const rows = await query
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .select(
      sql<boolean>`exists (
        select from mfa_factors f where f.user_id = users.id and f.confirmed_at is not null
      )`.as('has_mfa'),
    )
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, { ...toUser(row), hasMfa: row.has_mfa }]))
}

/** By username or e-mail address; a username cannot contain an @, so the two never collide. */
export const findUserByLogin = async (query: Query, login: string): Promise<StoredUser | undefined> => {
  const column = login.includes('@') ? sql<string>`lower(email)` : sql<string>`lower(username)`
  const row = await query
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .where(column, '=', sql<string>`lower(${login})`)
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

/** Newest first. */
export const findUserPage = async (
  query: Query,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredUser[]> => {
  const rows = await query
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toUser)
}

/** Waits for whoever is changing the account, then keeps everybody from changing it. */
export const holdCredentials = async (
  tx: Query,
  { id, passwordHash }: Pick<StoredUser, 'id' | 'passwordHash'>,
): Promise<boolean> => {
  const row = await tx
    .withTables<UserTables>()
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export const markEmailConfirmed = async (tx: Query, id: string, now: Date): Promise<void> => {
  await tx
    .withTables<UserTables>()
    .updateTable('users')
    .set({ email_confirmed_at: now, updated_at: now })
    .where('id', '=', id)
    .where('email_confirmed_at', 'is', null)
    .execute()
}

export const toUser = (row: UserRow): StoredUser => ({
  id: row.id,
  username: row.username,
  email: row.email,
  passwordHash: row.password_hash,
  role: row.role,
  status: row.status,
  emailConfirmed: row.email_confirmed_at !== null,
  onBoarded: row.on_boarded,
  newEmail: row.new_email ?? undefined,
  sessionsValidFrom: row.sessions_valid_from ?? undefined,
  keptSessionId: row.kept_session_id ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
