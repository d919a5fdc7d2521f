import type { CreateMailHook, Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { HookMode, HookScope } from '../hooks/hook-scopes.ts'

export type StoredMailHook = {
  readonly id: string
  readonly companyId: string
  readonly description: string | undefined
  readonly status: NonNullable<CreateMailHook['status']>
  readonly mode: HookMode
  readonly scopes: readonly HookScope[]
  readonly listens: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

type MailHookRow = {
  id: string
  company_id: string
  description: string | null
  status: StoredMailHook['status']
  mode: HookMode
  scopes: string
  listens: readonly string[]
  ended_at: Date | null
  created_at: Date
  updated_at: Date
}

const mailHooks = (query: Query) => query.withTables<{ mail_hooks: MailHookRow }>()

export const insertMailHook = async (tx: Query, hook: StoredMailHook): Promise<void> => {
  await mailHooks(tx)
    .insertInto('mail_hooks')
    .values({
      ...columnsOf(hook),
      id: hook.id,
      company_id: hook.companyId,
      ended_at: null,
      created_at: hook.createdAt,
    })
    .execute()
}

/** All of it but what it is called by. */
export const saveMailHook = async (tx: Query, hook: StoredMailHook): Promise<void> => {
  await mailHooks(tx).updateTable('mail_hooks').set(columnsOf(hook)).where('id', '=', hook.id).execute()
}

export const removeMailHook = async (tx: Query, id: string): Promise<void> => {
  await mailHooks(tx).deleteFrom('mail_hooks').where('id', '=', id).execute()
}

type MailHookKey = { readonly id: string; readonly companyId: string }

const oneMailHook = (query: Query, { id, companyId }: MailHookKey) =>
  mailHooks(query)
    .selectFrom('mail_hooks')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where('ended_at', 'is', null)

export const findMailHook = async (query: Query, key: MailHookKey): Promise<StoredMailHook | undefined> => {
  const row = await oneMailHook(query, key).executeTakeFirst()
  return row && toMailHook(row)
}

/** Held until the transaction ends. */
export const lockMailHook = async (tx: Query, key: MailHookKey): Promise<StoredMailHook | undefined> => {
  const row = await oneMailHook(tx, key).forUpdate().executeTakeFirst()
  return row && toMailHook(row)
}

/** Newest first. */
export const findMailHookPage = async (
  query: Query,
  { companyId, mode }: { companyId: string; mode: Mode | undefined },
  { limit, after }: Page,
): Promise<StoredMailHook[]> => {
  const rows = await mailHooks(query)
    .selectFrom('mail_hooks')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('ended_at', 'is', null)
    .$if(mode !== undefined, (some) => some.where('mode', '=', mode ?? null))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMailHook)
}

/** Of companies that are gone: what is on its way still arrives, and nothing comes after it. */
export const endMailHooks = async (tx: Query, companyIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update mail_hooks set ended_at = ${now} where company_id = any(${[...companyIds]}::uuid[])`.execute(tx)
}

/** Those of companies that are gone, once nothing of theirs is on its way. */
export const deleteEndedMailHooks = async (query: Query): Promise<void> => {
  await sql`
    delete from mail_hooks h where h.ended_at is not null
      and not exists (select from mail_orders where mail_hook_id = h.id)
      and not exists (select from mails where mail_hook_id = h.id and next_attempt_at is not null)`.execute(
    query,
  )
}

const columnsOf = (hook: StoredMailHook) => ({
  description: hook.description ?? null,
  status: hook.status,
  mode: hook.mode,
  scopes: JSON.stringify(hook.scopes),
  listens: [...hook.listens],
  updated_at: hook.updatedAt,
})

const toMailHook = (row: MailHookRow): StoredMailHook => ({
  id: row.id,
  companyId: row.company_id,
  description: row.description ?? undefined,
  status: row.status,
  mode: row.mode,
  scopes: JSON.parse(row.scopes),
  listens: row.listens,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
