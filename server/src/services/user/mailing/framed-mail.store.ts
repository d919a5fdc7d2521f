import { sql } from 'kysely'
import type { MailLanguage } from '../../../lib/mail-languages.ts'
import type { Query } from '../../../ports/database/database.ts'
import { givenArray } from '../../../ports/database/given-array.ts'
import type { CompanyMailTo, StoredCompanyMail } from './company-mails.store.ts'
import type { StoredRecipient } from './suppressions.store.ts'

export type Framed = {
  readonly name: string
  readonly vatId: string
  readonly emails: readonly string[]
  /** That of the account with this address. */
  readonly ownLanguage: MailLanguage | null
  /** Why the company sends this address no mails now; undefined if it does. */
  readonly stopped: 'unsubscribed' | 'bounced' | undefined
  /** Undefined if nobody decided yet whether it is sent. */
  readonly mail: Pick<StoredCompanyMail, 'id' | 'heldBack' | 'sentAt' | 'refusal'> | undefined
  readonly recipient: Pick<StoredRecipient, 'id' | 'encryptedToken'> | undefined
}

type Row = Pick<Framed, 'name' | 'vatId' | 'emails' | 'ownLanguage'> & {
  /** Which of the wanted mails this is, from 1. */
  readonly nth: number
  readonly reasons: readonly string[]
  readonly mailId: string | null
  readonly heldBack: StoredCompanyMail['heldBack']
  readonly sentAt: Date | null
  readonly refusal: string | null
  readonly recipientId: string | null
  readonly encryptedToken: Buffer | null
}

/**
 * All that sending each mail needs to know, in one statement and in their order. Undefined if the company was deleted.
 * Joined laterally, because a plan that PostgreSQL made while a company had few mails would read all of them later.
 */
export const findFramedMails = async (
  query: Query,
  wanted: readonly CompanyMailTo[],
): Promise<(Framed | undefined)[]> => {
  const each = (of: (mail: CompanyMailTo) => unknown, type: 'uuid' | 'text' | 'int') =>
    givenArray(wanted.map(of), type)
  const { rows } = await sql<Row>`
    select w.nth::int, c.name, c.vat_id, c.emails, m.id as mail_id, m.held_back, m.sent_at, m.refusal,
      r.id as recipient_id, r.encrypted_token,
      array(
        select s.reason from mail_suppressions s
        where s.address = w.address and (s.company_id = c.id or (s.company_id is null and s.reason = 'unsubscribed'))
      ) as reasons,
      (
        select u.language from users u
        where lower(u.email) = w.address and u.language is not null
          and u.status = 'active' and u.email_confirmed_at is not null
      ) as own_language
    from unnest(
      ${each(({ companyId }) => companyId, 'uuid')}, ${each(({ kind }) => kind, 'text')}, ${each(({ about }) => about, 'text')},
      ${each(({ again = 0 }) => again, 'int')}, ${each(({ address }) => address, 'text')}
    ) with ordinality as w (company_id, kind, about, again, address, nth)
    join companies c on c.id = w.company_id
    left join lateral (
      select * from company_mails
      where company_id = w.company_id and kind = w.kind and about = w.about and again = w.again and address = w.address
      limit 1
    ) m on true
    left join lateral (
      select * from mail_recipients where company_id = w.company_id and address = w.address limit 1
    ) r on true`.execute(query)
  const byPlace = new Map(rows.map((row) => [row.nth, row]))
  return wanted.map((_mail, place) => {
    const row = byPlace.get(place + 1)
    return row && toFramed(row)
  })
}

const toFramed = (row: Row): Framed => {
  const { name, vatId, emails, ownLanguage, mailId, heldBack, sentAt, refusal, recipientId, encryptedToken } =
    row
  return {
    name,
    vatId,
    emails,
    ownLanguage,
    stopped: stoppedFor(row.reasons),
    mail: mailId === null ? undefined : { id: mailId, heldBack, sentAt, refusal },
    recipient:
      recipientId === null || encryptedToken === null ? undefined : { id: recipientId, encryptedToken },
  }
}

const stoppedFor = (reasons: readonly string[]): Framed['stopped'] => {
  if (reasons.length === 0) return undefined
  return reasons.includes('unsubscribed') ? 'unsubscribed' : 'bounced'
}
