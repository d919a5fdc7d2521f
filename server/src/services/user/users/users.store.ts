import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { containing } from '../../../lib/like-pattern.ts'
import type { MailLanguage } from '../../../lib/mail-languages.ts'
import { anyOf } from '../../../ports/database/any-of.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { Users } from '../../../ports/database/tables.ts'

export type StoredUser = Selectable<Users>

/** What members of a company see of each other. */
export type Person = Omit<
  StoredUser,
  'passwordHash' | 'newEmail' | 'sessionsValidFrom' | 'keptSessionId' | 'usernameSkeleton'
>

export type NewUser = Pick<StoredUser, 'id' | 'username' | 'email' | 'passwordHash'> & {
  readonly language?: StoredUser['language'] | undefined
}

/** Undefined if the address is taken, in any letter case, or the username or one that looks the same. */
export const insertUser = (tx: Query, user: NewUser, now: Date): Promise<StoredUser | undefined> =>
  tx
    .insertInto('users')
    .values({ ...user, role: 'USER', status: 'active', onBoarded: false, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export type Lookalike = { readonly skeleton: string; readonly isTaken: boolean }

/** What the name looks like, and whether another user has one that looks the same but is spelled differently. */
export const findLookalike = async (
  query: Query,
  { name, ownId }: { readonly name: string; readonly ownId: string | undefined },
): Promise<Lookalike> => {
  const { rows } = await sql<Lookalike>`
    select skeleton, exists (
      select from users where username_skeleton = skeleton and lower(username) <> lower(${name})
        and id is distinct from ${ownId ?? null}::uuid) as is_taken
    from name_skeleton(${name}) as skeleton`.execute(query)
  const [found] = rows
  if (found === undefined) throw new Error('name_skeleton returned nothing')
  return found
}

export const findUser = (query: Query, id: string): Promise<StoredUser | undefined> =>
  query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** The languages of the accounts with these addresses, which are in lower case. */
export const findLanguages = async (
  query: Query,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MailLanguage>> => {
  const { rows } = await sql<{ address: string; language: MailLanguage }>`
    select lower(email) as address, language from users
    where lower(email) = any(${[...addresses]}::text[]) and language is not null
      and status = 'active' and email_confirmed_at is not null`.execute(query)
  return new Map(rows.map(({ address, language }) => [address, language]))
}

export const findUsers = (query: Query, ids: readonly string[]): Promise<StoredUser[]> =>
  query
    .selectFrom('users')
    .selectAll()
    .where(sql<SqlBool>`id ${anyOf(ids)}`)
    .execute()

/** Those who run this service, and can be mailed. */
export const findOperators = (query: Query): Promise<StoredUser[]> =>
  query
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'active')
    .where('emailConfirmedAt', 'is not', null)
    .orderBy('id')
    .execute()

export const hasConfirmedFactor = sql<boolean>`(
  exists (select from mfa_factors f where f.user_id = users.id and f.confirmed_at is not null)
  or exists (select from passkeys p where p.user_id = users.id)
)`

export type Signer = StoredUser & { readonly hasMfa: boolean }

export const findSigners = async (
  query: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Signer>> => {
  const signers = await query
    .selectFrom('users')
    .selectAll()
    .select(hasConfirmedFactor.as('hasMfa'))
    .where(sql<SqlBool>`id ${anyOf(ids)}`)
    .execute()
  return new Map(signers.map((signer) => [signer.id, signer]))
}

/** By username or e-mail address. The two cannot collide: a username never contains an @. */
export const findUserByLogin = (query: Query, login: string): Promise<StoredUser | undefined> => {
  const column = login.includes('@') ? sql<string>`lower(email)` : sql<string>`lower(username)`
  return query
    .selectFrom('users')
    .selectAll()
    .where(column, '=', sql<string>`lower(${login})`)
    .executeTakeFirst()
}

export type UserFilter = {
  /** Part of the username or the address. */
  readonly text: string | undefined
  readonly status: StoredUser['status'] | undefined
  readonly role: StoredUser['role'] | undefined
}

/** Newest first. */
export const findUserPage = (
  query: Query,
  filter: UserFilter,
  { after, limit }: Page,
): Promise<StoredUser[]> => {
  const users = filteredUsers(query, filter).selectAll().orderBy('id', 'desc').limit(limit)
  return (after === undefined ? users : users.where('id', '<', after)).execute()
}

export const countUsers = async (query: Query, filter: UserFilter): Promise<number> => {
  const counted = filteredUsers(query, filter).select(sql<number>`count(*)::int`.as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

const filteredUsers = (query: Query, { text, status, role }: UserFilter) => {
  const users = query.selectFrom('users').where((of) => of.and({ status, role }))
  if (text === undefined) return users
  const part = containing(text)
  return users.where(sql<SqlBool>`(lower(username) like ${part} or lower(email) like ${part})`)
}

/**
 * Waits for concurrent changes of the account, then blocks further ones until the transaction ends. False if the password
 * or a factor changed since the user was read.
 */
export const lockCredentials = async (
  tx: Query,
  { id, passwordHash, sessionsValidFrom }: StoredUser,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('sessionsValidFrom', 'is not distinct from', sessionsValidFrom)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export const markEmailConfirmed = async (tx: Query, id: string, now: Date): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ emailConfirmedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('emailConfirmedAt', 'is', null)
    .execute()
}
