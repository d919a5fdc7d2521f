import { type Selectable, sql } from 'kysely'
import { uuidv7 } from '../../../lib/uuid.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { Mails } from '../../../ports/database/tables.ts'

/** A mail that belongs to this process for a while. */
export type ClaimedMail = Pick<
  Selectable<Mails>,
  | 'id'
  | 'eventId'
  | 'companyId'
  | 'tries'
  | 'recipient'
  | 'subject'
  | 'textContent'
  | 'htmlContent'
  | 'attachmentName'
> & { readonly claim: string }

export type Claiming = {
  readonly claim: string
  readonly now: Date
  readonly leaseUntil: Date
  /** Mails that are still being sent here: their lease ends if this process is stopped for longer. */
  readonly except: readonly string[]
  readonly limit: number
}

/** Processes that claim at the same time get different mails. Reports on earlier attempts no longer count. */
export const claimMails = async (
  query: Query,
  { claim, now, leaseUntil, except, limit }: Claiming,
): Promise<ClaimedMail[]> => {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id from mails where next_attempt_at <= ${now} and id <> all(${[...except]}::uuid[]) order by next_attempt_at
      limit ${limit} for update skip locked
    )
    update mails m set claim = ${claim}::uuid, next_attempt_at = ${leaseUntil}, reported_at = null
    from due where m.id = due.id
    returning m.id, m.event_id, m.company_id, m.claim, m.tries, m.recipient, m.subject, m.text_content, m.html_content,
      m.attachment_name`.execute(query)
  return rows
}

export type MailResult = {
  readonly mail: ClaimedMail
  readonly startedAt: Date
  readonly durationMs: number
  /** Undefined if the mail server accepted the mail. */
  readonly failure: { readonly error: string; readonly reasons: string } | undefined
  /** Undefined if no attempt follows. */
  readonly nextAttemptAt: Date | undefined
}

/** A report of the mail provider that arrived during the attempt is newer than its result, and stays. */
export const recordMailResult = async (
  tx: Query,
  { mail, startedAt, durationMs, failure, nextAttemptAt }: MailResult,
  now: Date,
): Promise<void> => {
  await sql`
    insert into mail_attempts (id, mail_id, started_at, duration_ms, error, reasons)
    select ${uuidv7(startedAt.getTime())}::uuid, id, ${startedAt}::timestamptz, ${durationMs}::int, ${failure?.error ?? null},
      ${failure?.reasons ?? null}
    from mails where id = ${mail.id}`.execute(tx)
  await sql`
    update mails set
      attempts = attempts + 1, tries = tries + 1, claim = null,
      next_attempt_at = case when reported_at is null or not delivered then ${nextAttemptAt ?? null}::timestamptz end,
      delivered = case when reported_at is not null then delivered else ${failure === undefined} end,
      delivery_error = case when reported_at is not null then delivery_error else ${failure?.error ?? null} end,
      reasons = case when reported_at is not null then reasons else ${failure?.reasons ?? null} end,
      error_status = case when reported_at is not null then error_status end,
      updated_at = ${now}
    where id = ${mail.id} and claim = ${mail.claim}::uuid`.execute(tx)
}
