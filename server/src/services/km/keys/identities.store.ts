import type { Mode } from '@millseal/contract'
import { type Selectable, sql, type SqlBool } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { containing } from '../../../lib/like-pattern.ts'
import { anyOf } from '../../../ports/database/any-of.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB, Wallets } from '../../../ports/database/tables.ts'
import { whenGiven } from '../when-given.ts'

export type StoredIdentity = Selectable<DB['identities']>

/** Undefined if another identity of the mode has this key. */
export const insertIdentity = (
  tx: Query,
  identity: Omit<
    StoredIdentity,
    'status' | 'revokedSince' | 'publicationId' | 'notarizedAt' | 'createdAt' | 'updatedAt'
  >,
  now: Date,
): Promise<StoredIdentity | undefined> =>
  tx
    .insertInto('identities')
    .values({ ...identity, status: 'valid', createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['mode', 'publicKey']).doNothing())
    .returningAll()
    .executeTakeFirst()

type Branch = {
  readonly walletId: string
  readonly coinType: number
  readonly account: number
  readonly change: number
}

/** Lock the wallet first: two concurrent callers would get the same index. */
export const nextIndex = async (
  tx: Query,
  { walletId, coinType, account, change }: Branch,
): Promise<number> => {
  const { next } = await tx
    .selectFrom('identities')
    .select(sql<number>`coalesce(max(index), -1) + 1`.as('next'))
    .where('walletId', '=', walletId)
    .where('coinType', '=', coinType)
    .where('account', '=', account)
    .where('change', '=', change)
    .executeTakeFirstOrThrow()
  return next
}

export type IdentityFilter = {
  readonly companyId: string
  readonly mode: Mode
  readonly walletId?: string
  readonly coinType?: number
  readonly account?: number
  readonly index?: number
  readonly status?: StoredIdentity['status']
  /** Part of the name or the DID. */
  readonly text?: string
}

/** Newest first. */
export const findIdentityPage = (
  query: Query,
  filter: IdentityFilter,
  { limit, after }: Page,
): Promise<StoredIdentity[]> =>
  narrowedTo(query, filter)
    .selectAll()
    .$call(whenGiven(after, (found, value) => found.where('id', '<', value)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Counts no further than `atMost`. */
export const countIdentities = async (
  query: Query,
  filter: IdentityFilter,
  atMost: number,
): Promise<number> => {
  const { count } = await query
    .selectFrom(narrowedTo(query, filter).select('id').limit(atMost).as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const narrowedTo = (
  query: Query,
  { companyId, mode, walletId, coinType, account, index, status, text }: IdentityFilter,
) =>
  query
    .selectFrom('identities')
    .where('companyId', '=', companyId)
    .where('mode', '=', mode)
    .$call(whenGiven(walletId, (found, value) => found.where('walletId', '=', value)))
    .$call(whenGiven(coinType, (found, value) => found.where('coinType', '=', value)))
    .$call(whenGiven(account, (found, value) => found.where('account', '=', value)))
    .$call(whenGiven(index, (found, value) => found.where('index', '=', value)))
    .$call(whenGiven(status, (found, value) => found.where('status', '=', value)))
    .$call(
      whenGiven(text && containing(text), (found, part) =>
        found.where(sql<SqlBool>`(lower(name) like ${part} or lower(did) like ${part})`),
      ),
    )

type IdentityKey = { readonly id: string; readonly companyId: string }

/** Reads the identity and the root of its wallet in one statement, because every signature needs both. */
export type IdentityWithRoot = StoredIdentity & Pick<Selectable<Wallets>, 'encryptedRoot'>

/** Of any company. */
export const findIdentitiesWithRoot = async (
  query: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IdentityWithRoot>> => {
  const found = await query
    .selectFrom('identities')
    .innerJoin('wallets', 'wallets.id', 'identities.walletId')
    .selectAll('identities')
    .select('wallets.encryptedRoot')
    .where(sql<SqlBool>`identities.id ${anyOf(ids)}`)
    .execute()
  return new Map(found.map((identity) => [identity.id, identity]))
}

export const findIdentity = (query: Query, key: IdentityKey): Promise<StoredIdentity | undefined> =>
  byKey(query, key).executeTakeFirst()

/** Locked until the transaction ends. */
export const lockIdentity = (tx: Query, key: IdentityKey): Promise<StoredIdentity | undefined> =>
  byKey(tx, key).forUpdate().executeTakeFirst()

/** Of any company; locked until the transaction ends. */
export const lockAnyIdentity = (tx: Query, id: string): Promise<StoredIdentity | undefined> =>
  tx.selectFrom('identities').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Locked until the transaction ends. */
export const lockIdentityWithDid = (
  tx: Query,
  { mode, did }: { readonly mode: Mode; readonly did: string },
): Promise<StoredIdentity | undefined> =>
  tx
    .selectFrom('identities')
    .selectAll()
    .where('mode', '=', mode)
    .where('did', '=', did)
    .forUpdate()
    .executeTakeFirst()

/** Locks all identities of a wallet, oldest first, until the transaction ends. */
export const lockIdentitiesOf = (tx: Query, walletId: string): Promise<StoredIdentity[]> =>
  tx.selectFrom('identities').selectAll().where('walletId', '=', walletId).orderBy('id').forUpdate().execute()

export const saveIdentityStatus = async (
  tx: Query,
  ids: readonly string[],
  change: { readonly status: 'valid' | 'obsolete'; readonly updatedAt: Date },
): Promise<void> => {
  if (ids.length === 0) return
  await tx.updateTable('identities').set(change).where('id', 'in', ids).execute()
}

export const saveIdentityName = (
  tx: Query,
  id: string,
  change: { readonly name: string | null; readonly updatedAt: Date },
): Promise<StoredIdentity> =>
  tx.updateTable('identities').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const savePublication = async (
  tx: Query,
  id: string,
  change: { readonly publicationId: string; readonly notarizedAt: Date | null; readonly updatedAt: Date },
): Promise<void> => {
  await tx.updateTable('identities').set(change).where('id', '=', id).execute()
}

const byKey = (query: Query, { id, companyId }: IdentityKey) =>
  query.selectFrom('identities').selectAll().where('id', '=', id).where('companyId', '=', companyId)
