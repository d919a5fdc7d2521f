import { sql } from 'kysely'
import type { MailLanguage } from '../../../lib/mail-languages.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { MailSubject, StoredCompanyMail } from './company-mails.store.ts'
import type { StoredRecipient } from './suppressions.store.ts'

type Framed = {
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
  readonly reasons: readonly string[]
  readonly mailId: string | null
  readonly heldBack: StoredCompanyMail['heldBack']
  readonly sentAt: Date | null
  readonly refusal: string | null
  readonly recipientId: string | null
  readonly encryptedToken: Buffer | null
}

/** All that sending one mail needs to know, in one statement. Undefined if the company was deleted. */
export const findFramedMail = async (
  query: Query,
  { companyId, kind, about, again = 0, address }: MailSubject & { readonly address: string },
): Promise<Framed | undefined> => {
  const { rows } = await sql<Row>`
    select c.name, c.vat_id, c.emails, m.id as mail_id, m.held_back, m.sent_at, m.refusal,
      r.id as recipient_id, r.encrypted_token,
      array(
        select s.reason from mail_suppressions s
        where s.address = ${address} and (s.company_id = c.id or (s.company_id is null and s.reason = 'unsubscribed'))
      ) as reasons,
      (
        select u.language from users u
        where lower(u.email) = ${address} and u.language is not null
          and u.status = 'active' and u.email_confirmed_at is not null
      ) as own_language
    from companies c
    left join company_mails m on m.company_id = c.id and m.kind = ${kind} and m.about = ${about}
      and m.again = ${again} and m.address = ${address}
    left join mail_recipients r on r.company_id = c.id and r.address = ${address}
    where c.id = ${companyId}`.execute(query)
  const [row] = rows
  if (row === undefined) return undefined
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
