import { type Insertable, type Selectable, sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { Requirements } from '../../../ports/database/tables.ts'

export type StoredRequirement = Selectable<Requirements>

/** A requirement with the number of its rules in place of its content. */
export type ListedRow = Omit<StoredRequirement, 'content'> & { readonly rules: number }

/** Newest first: those in use, or the version with a hash. */
export const findRequirementPage = (
  query: Query,
  { companyId, hash }: { readonly companyId: string; readonly hash: string | undefined },
  { limit, after }: Page,
): Promise<ListedRow[]> => {
  const all = query
    .selectFrom('requirements')
    .select(['id', 'companyId', 'name', 'hash', 'inUse', 'createdAt'])
    .select(sql<number>`jsonb_array_length(content -> 'rules')`.as('rules'))
    .where('companyId', '=', companyId)
  const rows = hash === undefined ? all.where('inUse', '=', true) : all.where('hash', '=', hash)
  const page = after === undefined ? rows : rows.where('id', '<', after)
  return page.orderBy('id', 'desc').limit(limit).execute()
}

export const findRequirement = (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<StoredRequirement | undefined> =>
  query
    .selectFrom('requirements')
    .selectAll()
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .executeTakeFirst()

/** The version in use by its name, or any by its hash. */
export const findRequirementNamed = (
  query: Query,
  { companyId, nameOrHash }: { readonly companyId: string; readonly nameOrHash: string },
): Promise<StoredRequirement | undefined> =>
  query
    .selectFrom('requirements')
    .selectAll()
    .where('companyId', '=', companyId)
    .where((on) =>
      on.or([on('hash', '=', nameOrHash), on.and([on('name', '=', nameOrHash), on('inUse', '=', true)])]),
    )
    .orderBy('inUse', 'desc')
    .limit(1)
    .executeTakeFirst()

export const countRequirements = async (
  query: Query,
  companyId: string,
): Promise<{ readonly inUse: number; readonly versions: number }> => {
  const { inUse, versions } = await query
    .selectFrom('requirements')
    .where('companyId', '=', companyId)
    .select(({ fn }) => [
      fn.countAll().as('versions'),
      fn.countAll().filterWhere('inUse', '=', true).as('inUse'),
    ])
    .executeTakeFirstOrThrow()
  return { inUse: Number(inUse), versions: Number(versions) }
}

/** Takes the versions of a name out of use. */
export const retireRequirement = async (
  tx: Query,
  { companyId, name }: { readonly companyId: string; readonly name: string },
): Promise<void> => {
  await tx
    .updateTable('requirements')
    .set({ inUse: false })
    .where('companyId', '=', companyId)
    .where('name', '=', name)
    .where('inUse', '=', true)
    .execute()
}

/** A version that existed is in use again. */
export const insertRequirement = (
  tx: Query,
  requirement: Insertable<Requirements>,
): Promise<StoredRequirement> =>
  tx
    .insertInto('requirements')
    .values(requirement)
    .onConflict((conflict) => conflict.columns(['companyId', 'hash']).doUpdateSet({ inUse: true }))
    .returningAll()
    .executeTakeFirstOrThrow()
