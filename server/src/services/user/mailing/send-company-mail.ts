import type { Logger } from 'pino'
import { languageOf, type MailLanguage } from '../../../lib/mail-languages.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type Mail, type MailAddress, type Mailer, MailRefused } from '../../../ports/mailer/mailer.ts'
import { findLanguages } from '../account/users.store.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { admitMails } from './admit-mails.ts'
import { endCompanyMail, findCompanyMails, type MailSubject } from './company-mails.store.ts'
import { stoppedAmong } from './decide-mails.ts'
import { unsubscribeUrlOf } from './unsubscribe-link.ts'

export type CompanyMailTo = MailSubject & { readonly address: string }

/** What a mail of a company needs besides its content. */
export type MailFrame = {
  /** Becomes the Message-ID. */
  readonly id: string
  readonly companyName: string
  readonly vatId: string
  /** That of the account with this address. */
  readonly ownLanguage: MailLanguage | undefined
  /** The same or, without one, that of the country of the company. */
  readonly language: MailLanguage
  readonly replyTo: MailAddress | undefined
  readonly unsubscribeUrl: string
}

/** Undefined if the mail was sent already, or the address gets none. Asked again here, because a job may run much later. */
export const frameMail = async (
  deps: UserDependencies,
  { address, ...subject }: CompanyMailTo,
): Promise<MailFrame | undefined> => {
  const { database } = deps
  const { companyId } = subject
  const [company] = await findCompanies(database.query, { id: companyId })
  if (company === undefined) return undefined
  const wanted = address.trim().toLowerCase()
  const [recorded] = await findCompanyMails(database.query, subject, [wanted])
  const mail =
    recorded ??
    (await database.transaction((tx) => admitMails(deps, tx, subject, [wanted]))).find(
      (one) => one.address === wanted,
    )
  if (mail === undefined || mail.heldBack !== null || mail.sentAt !== null || mail.refusal !== null)
    return undefined
  const heldBack = (await stoppedAmong(database.query, companyId, [wanted])).get(wanted)
  if (heldBack !== undefined) {
    await endCompanyMail(database.query, mail.id, { heldBack })
    return undefined
  }
  const [contact] = company.emails
  const unsubscribeUrl = await unsubscribeUrlOf(deps, { companyId, address: wanted })
  if (unsubscribeUrl === undefined) return undefined
  const ownLanguage = (await findLanguages(database.query, [wanted])).get(wanted)
  return {
    id: mail.id,
    companyName: company.name,
    vatId: company.vatId,
    ownLanguage,
    language: ownLanguage ?? languageOf(company.vatId),
    replyTo: contact === undefined ? undefined : { name: company.name, address: contact },
    unsubscribeUrl,
  }
}

type Sending = {
  readonly mailer: Mailer
  readonly database: Database
  readonly clock: UserDependencies['clock']
  readonly log: { readonly warn: Logger['warn'] }
  readonly users: { frameMail(to: CompanyMailTo): Promise<MailFrame | undefined> }
}

export type MailBody = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

/** Sends one mail of a company and records the result. A refused mail is logged, because a retry cannot help. */
export const sendCompanyMail = async (
  { mailer, database, clock, log, users }: Sending,
  to: CompanyMailTo,
  compose: (frame: MailFrame) => MailBody | Promise<MailBody>,
): Promise<void> => {
  const frame = await users.frameMail(to)
  if (frame === undefined) return
  const { id, replyTo, unsubscribeUrl } = frame
  const body = await compose(frame)
  try {
    await mailer.send({ id, to: [{ address: to.address }], replyTo, unsubscribeUrl, ...body })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    await endCompanyMail(database.query, id, { refusal: error.message })
    log.warn(
      { mailId: id, kind: to.kind, about: to.about, reason: error.message },
      `a ${to.kind} mail was refused`,
    )
    return
  }
  await endCompanyMail(database.query, id, { sentAt: new Date(clock.now()) })
}
