import type { Mode } from '@millseal/contract'
import {
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Insertable,
  type Selectable,
  sql,
  type SqlBool,
} from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB, MailAttempts, Mails, Outbox } from '../../../ports/database/tables.ts'
import { notifyQueued } from '../events/outbox.store.ts'

export type StoredMail = Selectable<Mails> & { readonly mode: Mode }
export type StoredMailAttempt = Selectable<MailAttempts>

/** Leaves out mails that exist already: one per event, mail hook and recipient. */
export const insertMails = async (tx: Query, mails: readonly Insertable<Mails>[]): Promise<void> => {
  await tx
    .insertInto('mails')
    .values(mails)
    .onConflict((conflict) => conflict.columns(['eventId', 'mailHookId', 'recipient']).doNothing())
    .execute()
}

const mailsOf = (query: Query, companyId: string) =>
  query.selectFrom('mails').selectAll().where('companyId', '=', companyId).$narrowType<{ mode: Mode }>()

export type MailFilter = {
  readonly companyId: string
  readonly mode: Mode | undefined
  readonly mailHookId?: string | undefined
  readonly delivered?: boolean | undefined
  readonly resource?: string | undefined
  readonly action?: string | undefined
  readonly aboutId?: string | undefined
  /** Beginnings of words of the receiver and the subject. */
  readonly text?: string | undefined
}

/** Newest first. */
export const findMailPage = (
  query: Query,
  filter: MailFilter,
  { limit, after }: Page,
): Promise<StoredMail[]> =>
  mailsOf(query, filter.companyId)
    .where(narrowedTo(filter))
    .where((of) => of.and(after === undefined ? [] : [of('id', '<', after)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Counts no further than `atMost`. */
export const countMails = async (query: Query, filter: MailFilter, atMost: number): Promise<number> => {
  const counted = query
    .selectFrom('mails')
    .select('id')
    .where('companyId', '=', filter.companyId)
    .where(narrowedTo(filter))
    .limit(atMost)
  const { count } = await query
    .selectFrom(counted.as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const narrowedTo =
  ({ companyId, aboutId, text, delivered, ...equal }: MailFilter) =>
  (of: ExpressionBuilder<DB, 'mails'>): ExpressionWrapper<DB, 'mails', SqlBool> => {
    const conditions: Expression<SqlBool>[] = [of.and(equal)]
    // As the condition of an index has it.
    if (delivered !== undefined)
      conditions.push(delivered ? sql<SqlBool>`delivered` : sql<SqlBool>`not delivered`)
    if (aboutId !== undefined)
      conditions.push(
        of('eventId', 'in', of.selectFrom('outbox').select('id').where('aboutId', '=', aboutId)),
      )
    // Found first, by its index: a plan for all values does not know whether many mails have the words.
    if (text !== undefined)
      conditions.push(sql<SqlBool>`id = any(array(
        select id from mails where company_words(company_id, recipient || ' ' || subject) @@ company_query(${companyId}, ${text})
      ))`)
    return of.and(conditions)
  }

export const findMail = (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<StoredMail | undefined> => mailsOf(query, companyId).where('id', '=', id).executeTakeFirst()

/** An event with its payload, which is attached to its mails. */
export const findEvent = (query: Query, eventId: string): Promise<MailedEvent | undefined> =>
  query.selectFrom('outbox').select(mailedColumns).where('id', '=', eventId).executeTakeFirst()

const mailedColumns = ['id', 'mode', 'resource', 'action', 'aboutId', 'payload'] as const

export type MailedEvent = Pick<Selectable<Outbox>, (typeof mailedColumns)[number]>

/** Oldest first. */
export const findMailAttempts = (query: Query, mailId: string): Promise<StoredMailAttempt[]> =>
  query
    .selectFrom('mailAttempts')
    .selectAll()
    .where('mailId', '=', mailId)
    .orderBy('startedAt')
    .orderBy('id')
    .execute()

/** Makes a mail due now, at the start of the schedule, unless it is being sent. */
export const queueMailAgain = async (
  tx: Query,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> => {
  await tx
    .updateTable('mails')
    .set({ tries: 0, nextAttemptAt: now, claim: null, updatedAt: now })
    .where('id', '=', id)
    .where((of) => of.or([of('claim', 'is', null), of('nextAttemptAt', '<=', now)]))
    .execute()
  await notifyQueued(tx)
}
