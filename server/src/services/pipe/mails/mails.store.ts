import type { Mode } from '@millseal/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { MailAttempts, Mails } from '../../../ports/database/tables.ts'
import { notifyQueued } from '../relay/outbox.store.ts'

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

type MailFilter = {
  readonly companyId: string
  readonly mode: Mode | undefined
  readonly mailHookId?: string | undefined
  readonly delivered?: boolean | undefined
  readonly resource?: string | undefined
  readonly action?: string | undefined
  readonly aboutId?: string | undefined
}

/** Newest first. */
export const findMailPage = (
  query: Query,
  { companyId, aboutId, ...filter }: MailFilter,
  { limit, after }: Page,
): Promise<StoredMail[]> =>
  mailsOf(query, companyId)
    .where((of) =>
      of.and([
        of.and(filter),
        ...(after === undefined ? [] : [of('id', '<', after)]),
        ...(aboutId === undefined
          ? []
          : [of('eventId', 'in', of.selectFrom('outbox').select('id').where('aboutId', '=', aboutId))]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

type MailKey = { readonly id: string; readonly companyId: string }

export const findMail = (query: Query, { id, companyId }: MailKey): Promise<StoredMail | undefined> =>
  mailsOf(query, companyId).where('id', '=', id).executeTakeFirst()

/** The payload of an event, which is attached to its mails. */
export const findPayload = async (query: Query, eventId: string): Promise<Uint8Array | undefined> => {
  const row = await query.selectFrom('outbox').select('payload').where('id', '=', eventId).executeTakeFirst()
  return row?.payload
}

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
