import type { Logger } from 'pino'
import { languageOf, type MailLanguage } from '../../../lib/mail-languages.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type Mail, type MailAddress, type Mailer, MailRefused } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'
import { admitMails } from './admit-mails.ts'
import { endCompanyMail, type MailSubject } from './company-mails.store.ts'
import { findFramedMail } from './framed-mail.store.ts'
import { unsubscribeUrlFor, unsubscribeUrlOf } from './unsubscribe-link.ts'

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
  to: CompanyMailTo,
): Promise<MailFrame | undefined> => {
  const { query } = deps.database
  const { companyId } = to
  const wanted = { ...to, address: to.address.trim().toLowerCase() }
  const found = await findDecided(deps, wanted)
  if (found?.mail === undefined) return undefined
  const { name, vatId, emails, mail, stopped, recipient } = found
  if (mail.heldBack !== null || mail.sentAt !== null || mail.refusal !== null) return undefined
  if (stopped !== undefined) {
    await endCompanyMail(query, mail.id, { heldBack: stopped })
    return undefined
  }
  const unsubscribeUrl =
    recipient === undefined
      ? await unsubscribeUrlOf(deps, { companyId, address: wanted.address })
      : unsubscribeUrlFor(deps, recipient)
  if (unsubscribeUrl === undefined) return undefined
  const [contact] = emails
  const ownLanguage = found.ownLanguage ?? undefined
  return {
    id: mail.id,
    companyName: name,
    vatId,
    ownLanguage,
    language: ownLanguage ?? languageOf(vatId),
    replyTo: contact === undefined ? undefined : { name, address: contact },
    unsubscribeUrl,
  }
}

/** With a decision whether it is sent, even if nobody made one before. */
const findDecided = async (deps: UserDependencies, wanted: CompanyMailTo) => {
  const { address, ...subject } = wanted
  const { database } = deps
  const found = await findFramedMail(database.query, wanted)
  if (found === undefined || found.mail !== undefined) return found
  await database.transaction((tx) => admitMails(deps, tx, [{ subject, addresses: [address] }]))
  return await findFramedMail(database.query, wanted)
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
