import type { CreateHook, Mode } from '@millseal/contract'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { HookMode, HookScope } from './hook-scopes.ts'

export type StoredHook = {
  readonly id: string
  readonly companyId: string
  readonly name: string | undefined
  readonly description: string | undefined
  readonly connectionUrl: string
  readonly contentType: NonNullable<CreateHook['contentType']>
  readonly status: 'enabled' | 'disabled'
  readonly enableSSL: boolean
  readonly ordered: boolean
  readonly mode: HookMode
  readonly scopes: readonly HookScope[]
  readonly listens: readonly string[]
  readonly headerNames: readonly string[]
  readonly sealedHeaders: Uint8Array
  readonly sealedSecret: Uint8Array | undefined
  readonly sealedPreviousSecret: Uint8Array | undefined
  readonly previousSecretUntil: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

type HookRow = {
  id: string
  company_id: string
  name: string | null
  description: string | null
  connection_url: string
  content_type: StoredHook['contentType']
  status: StoredHook['status']
  enable_ssl: boolean
  ordered: boolean
  mode: HookMode
  scopes: string
  listens: readonly string[]
  header_names: readonly string[]
  sealed_headers: Uint8Array
  sealed_secret: Uint8Array | null
  sealed_previous_secret: Uint8Array | null
  previous_secret_until: Date | null
  failing_since: Date | null
  last_failed_at: Date | null
  warned_at: Date | null
  ended_at: Date | null
  created_at: Date
  updated_at: Date
}

const hooks = (query: Query) => query.withTables<{ hooks: HookRow }>()

export const insertHook = async (tx: Query, hook: StoredHook): Promise<void> => {
  await hooks(tx)
    .insertInto('hooks')
    .values({
      ...columnsOf(hook),
      id: hook.id,
      company_id: hook.companyId,
      created_at: hook.createdAt,
      ...healthy,
      ended_at: null,
    })
    .execute()
}

/** All of it but what it is called by. */
export const saveHook = async (tx: Query, hook: StoredHook): Promise<void> => {
  await hooks(tx).updateTable('hooks').set(columnsOf(hook)).where('id', '=', hook.id).execute()
}

const healthy = { failing_since: null, last_failed_at: null, warned_at: null }

/** Its failures so far are no longer held against it. */
export const forgetFailures = async (tx: Query, id: string): Promise<void> => {
  await hooks(tx).updateTable('hooks').set(healthy).where('id', '=', id).execute()
}

export const removeHook = async (tx: Query, id: string): Promise<void> => {
  await hooks(tx).deleteFrom('hooks').where('id', '=', id).execute()
}

export type HookKey = { readonly id: string; readonly companyId: string }

const oneHook = (query: Query, { id, companyId }: HookKey) =>
  hooks(query)
    .selectFrom('hooks')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where('ended_at', 'is', null)

export const findHook = async (query: Query, key: HookKey): Promise<StoredHook | undefined> => {
  const row = await oneHook(query, key).executeTakeFirst()
  return row && toHook(row)
}

/** Held until the transaction ends. */
export const lockHook = async (tx: Query, key: HookKey): Promise<StoredHook | undefined> => {
  const row = await oneHook(tx, key).forUpdate().executeTakeFirst()
  return row && toHook(row)
}

/** Whoever's it is. */
export const findAnyHook = async (query: Query, id: string): Promise<StoredHook | undefined> => {
  const row = await hooks(query).selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toHook(row)
}

/** Newest first. */
export const findHookPage = async (
  query: Query,
  { companyId, mode }: { companyId: string; mode: Mode | undefined },
  { limit, after }: Page,
): Promise<StoredHook[]> => {
  const rows = await hooks(query)
    .selectFrom('hooks')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('ended_at', 'is', null)
    .$if(mode !== undefined, (some) => some.where('mode', '=', mode ?? null))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toHook)
}

/** Those of companies that are gone, once nothing of theirs is on its way. */
export const deleteEndedHooks = async (query: Query): Promise<void> => {
  await query
    .withTables<{ hooks: HookRow; hook_deliveries: { hook_id: string } }>()
    .deleteFrom('hooks')
    .where('ended_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('hook_deliveries').select('hook_id').whereRef('hook_id', '=', 'hooks.id'))),
    )
    .execute()
}

const columnsOf = (hook: StoredHook) => ({
  name: hook.name ?? null,
  description: hook.description ?? null,
  connection_url: hook.connectionUrl,
  content_type: hook.contentType,
  status: hook.status,
  enable_ssl: hook.enableSSL,
  ordered: hook.ordered,
  mode: hook.mode,
  scopes: JSON.stringify(hook.scopes),
  listens: [...hook.listens],
  header_names: [...hook.headerNames],
  sealed_headers: hook.sealedHeaders,
  sealed_secret: hook.sealedSecret ?? null,
  sealed_previous_secret: hook.sealedPreviousSecret ?? null,
  previous_secret_until: hook.previousSecretUntil ?? null,
  updated_at: hook.updatedAt,
})

const toHook = (row: HookRow): StoredHook => ({
  id: row.id,
  companyId: row.company_id,
  name: row.name ?? undefined,
  description: row.description ?? undefined,
  connectionUrl: row.connection_url,
  contentType: row.content_type,
  status: row.status,
  enableSSL: row.enable_ssl,
  ordered: row.ordered,
  mode: row.mode,
  scopes: JSON.parse(row.scopes),
  listens: row.listens,
  headerNames: row.header_names,
  sealedHeaders: row.sealed_headers,
  sealedSecret: row.sealed_secret ?? undefined,
  sealedPreviousSecret: row.sealed_previous_secret ?? undefined,
  previousSecretUntil: row.previous_secret_until ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
