import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import { tellQueued } from '../relay/outbox.store.ts'

type NewMail = {
  readonly id: string
  readonly eventId: string
  readonly mailHookId: string
  readonly companyId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly recipient: string
  readonly sender: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachmentName: string
}

export type StoredMail = NewMail & {
  readonly delivered: boolean
  readonly attempts: number
  readonly deliveryError: string | undefined
  readonly errorStatus: string | undefined
  /** Undefined where nothing is planned, and while it is being sent. */
  readonly nextAttemptAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

type MailRow = {
  id: string
  event_id: string
  mail_hook_id: string
  company_id: string
  mode: Mode
  resource: string
  action: string
  recipient: string
  sender: string
  subject: string
  text_content: string
  html_content: string
  attachment_name: string
  delivered: boolean
  attempts: number
  delivery_error: string | null
  error_status: string | null
  next_attempt_at: Date | null
  claim: string | null
  created_at: Date
  updated_at: Date
}

type MailTables = {
  mails: MailRow
  mail_attempts: { id: string; mail_id: string; started_at: Date; duration_ms: number; error: string | null }
  outbox: { id: string; payload: Uint8Array }
}

const mails = (query: Query) => query.withTables<MailTables>()

/** Due now. One that is there already stays as it is. */
export const insertMails = async (tx: Query, written: readonly NewMail[], now: Date): Promise<void> => {
  await mails(tx)
    .insertInto('mails')
    .values(
      written.map((mail) => ({
        id: mail.id,
        event_id: mail.eventId,
        mail_hook_id: mail.mailHookId,
        company_id: mail.companyId,
        mode: mail.mode,
        resource: mail.resource,
        action: mail.action,
        recipient: mail.recipient,
        sender: mail.sender,
        subject: mail.subject,
        text_content: mail.text,
        html_content: mail.html,
        attachment_name: mail.attachmentName,
        delivered: false,
        attempts: 0,
        delivery_error: null,
        error_status: null,
        next_attempt_at: now,
        claim: null,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['event_id', 'mail_hook_id', 'recipient']).doNothing())
    .execute()
}

type MailFilter = {
  readonly companyId: string
  readonly mode: Mode | undefined
  readonly mailHookId?: string | undefined
  readonly delivered?: boolean | undefined
  readonly resource?: string | undefined
  readonly action?: string | undefined
}

/** Newest first. */
export const findMailPage = async (
  query: Query,
  { companyId, mode, mailHookId, delivered, resource, action }: MailFilter,
  { limit, after }: Page,
): Promise<StoredMail[]> => {
  const rows = await mails(query)
    .selectFrom('mails')
    .selectAll()
    .where('company_id', '=', companyId)
    .$if(mode !== undefined, (some) => some.where('mode', '=', mode ?? null))
    .$if(mailHookId !== undefined, (some) => some.where('mail_hook_id', '=', mailHookId ?? null))
    .$if(delivered !== undefined, (some) => some.where('delivered', '=', delivered ?? null))
    .$if(resource !== undefined, (some) => some.where('resource', '=', resource ?? null))
    .$if(action !== undefined, (some) => some.where('action', '=', action ?? null))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMail)
}

type MailKey = { readonly id: string; readonly companyId: string }

export const findMail = async (query: Query, { id, companyId }: MailKey): Promise<StoredMail | undefined> => {
  const row = await mails(query)
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row && toMail(row)
}

/** What is attached to the mails of an event. */
export const findPayload = async (query: Query, eventId: string): Promise<Uint8Array | undefined> => {
  const row = await mails(query)
    .selectFrom('outbox')
    .select('payload')
    .where('id', '=', eventId)
    .executeTakeFirst()
  return row?.payload
}

export type StoredMailAttempt = {
  readonly startedAt: Date
  readonly durationMs: number
  readonly error: string | undefined
}

/** Oldest first. */
export const findMailAttempts = async (query: Query, mailId: string): Promise<StoredMailAttempt[]> => {
  const rows = await mails(query)
    .selectFrom('mail_attempts')
    .selectAll()
    .where('mail_id', '=', mailId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    error: row.error ?? undefined,
  }))
}

/** Due now and at the start of the schedule; one that is being sent at this moment stays as it is. */
export const queueMailAgain = async (
  tx: Query,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> => {
  await sql`
    update mails set tries = 0, next_attempt_at = ${now}, claim = null, updated_at = ${now}
    where id = ${id} and (claim is null or next_attempt_at <= ${now})`.execute(tx)
  await tellQueued(tx)
}

const toMail = (row: MailRow): StoredMail => ({
  id: row.id,
  eventId: row.event_id,
  mailHookId: row.mail_hook_id,
  companyId: row.company_id,
  mode: row.mode,
  resource: row.resource,
  action: row.action,
  recipient: row.recipient,
  sender: row.sender,
  subject: row.subject,
  text: row.text_content,
  html: row.html_content,
  attachmentName: row.attachment_name,
  delivered: row.delivered,
  attempts: row.attempts,
  deliveryError: row.delivery_error ?? undefined,
  errorStatus: row.error_status ?? undefined,
  nextAttemptAt: row.claim === null ? (row.next_attempt_at ?? undefined) : undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
