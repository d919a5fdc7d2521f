import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type MailCounts = { readonly waiting: number; readonly failed: number }

/** Mails of mail hooks: those still to be sent, and those that failed since. */
export const countEventMails = async (query: Query, since: Date): Promise<MailCounts> => {
  const { rows } = await sql<MailCounts>`
    select
      (select count(*)::int from mails where next_attempt_at is not null) as waiting,
      (select count(*)::int from mails where not delivered and delivery_error is not null and attempts > 0
        and updated_at > ${since} and next_attempt_at is null) as failed`.execute(query)
  return rows[0] ?? { waiting: 0, failed: 0 }
}

export type FailingHooks = {
  readonly count: number
  /** The one that failed last. */
  readonly newest:
    | { readonly id: string; readonly companyId: string; readonly host: string; readonly since: Date }
    | undefined
}

export const findFailingHooks = async (query: Query): Promise<FailingHooks> => {
  const failing = query.selectFrom('hooks').where('failingSince', 'is not', null).where('endedAt', 'is', null)
  const { count } = await failing.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  const hook = await failing
    .select(['id', 'companyId', 'connectionUrl', 'failingSince'])
    .orderBy('failingSince', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (hook === undefined || hook.failingSince === null) return { count, newest: undefined }
  const { id, companyId, connectionUrl, failingSince } = hook
  return { count, newest: { id, companyId, host: new URL(connectionUrl).host, since: failingSince } }
}

export type HookOwner = { readonly companyId: string; readonly mode: Mode }

export const countFailingHooks = async (query: Query, { companyId, mode }: HookOwner): Promise<number> => {
  const { count } = await query
    .selectFrom('hooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .where('mode', 'in', [mode, 'all'])
    .where('failingSince', 'is not', null)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
