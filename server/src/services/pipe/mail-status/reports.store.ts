import { sql } from 'kysely'
import { because } from '@millseal/contract/reasons'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { Report } from './read-reports.ts'

export type ReportedMail = { readonly companyId: string; readonly recipient: string }

const unknown = storedReasons([because('mail_not_delivered')])

/**
 * Records each report once. The latest one counts, in whichever order they arrive; of two with the same second the
 * failure counts, because an accepted mail can still bounce. A delivered mail is not sent again.
 * Returns the mail; undefined if there is none.
 */
export const recordReport = async (
  tx: Query,
  { id, mailId, at, delivered, reason, status }: Report,
  now: Date,
): Promise<ReportedMail | undefined> => {
  const { rows } = await sql<ReportedMail>`
    select company_id, recipient from mails where id = ${mailId} for update`.execute(tx)
  const [mail] = rows
  if (mail === undefined) return undefined
  const { numAffectedRows } = await sql`
    insert into mail_reports (mail_id, report_id) values (${mailId}, ${id}) on conflict do nothing`.execute(
    tx,
  )
  if (numAffectedRows !== 1n) return mail
  await sql`
    update mails set delivered = ${delivered}, reported_at = ${at}, updated_at = ${now},
      delivery_error = ${delivered ? null : (reason ?? unknown.error)},
      reasons = ${delivered || reason !== undefined ? null : unknown.reasons},
      error_status = ${delivered ? null : (status ?? null)},
      next_attempt_at = case when ${delivered}::boolean and claim is null then null else next_attempt_at end
    where id = ${mailId}
      and (reported_at is null or reported_at < ${at} or (reported_at = ${at} and not ${delivered}::boolean))`.execute(
    tx,
  )
  return mail
}
