import type { Logger } from 'pino'
import { inGroups } from '../../../lib/in-groups.ts'
import { languageOf, type MailLanguage } from '../../../lib/mail-languages.ts'
import { type Mail, type MailAddress, type Mailer, MailRefused } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'
import { admitMails } from './admit-mails.ts'
import { type CompanyMailTo, endCompanyMails, type MailEnd } from './company-mails.store.ts'
import { findFramedMails, type Framed } from './framed-mail.store.ts'
import { unsubscribeUrlFor, unsubscribeUrlOf } from './unsubscribe-link.ts'

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

/** What each mail of a company needs before and after it is sent. Mails that are sent at the same time do it together. */
export type Mailing = {
  /** Undefined if the mail was sent already, or the address gets none. Asked again here, because a job may run much later. */
  frameMail(to: CompanyMailTo): Promise<MailFrame | undefined>
  endMail(end: MailEnd): Promise<void>
}

export const createMailing = (deps: UserDependencies): Mailing => {
  const { query } = deps.database
  const find = inGroups((wanted: readonly CompanyMailTo[]) => findFramedMails(query, wanted), alone)
  const end = inGroups(async (ends: readonly MailEnd[]) => {
    await endCompanyMails(query, ends)
    return ends.map(() => undefined)
  }, alone)
  return { frameMail: (to) => frameMail(deps, { to, find, end }), endMail: end }
}

const alone = { ifItFails: 'try each alone' } as const

type Framing = {
  readonly to: CompanyMailTo
  readonly find: (wanted: CompanyMailTo) => Promise<Framed | undefined>
  readonly end: Mailing['endMail']
}

const frameMail = async (
  deps: UserDependencies,
  { to, find, end }: Framing,
): Promise<MailFrame | undefined> => {
  const { companyId } = to
  const wanted = { ...to, address: to.address.trim().toLowerCase() }
  const found = await findDecided(deps, { to: wanted, find })
  if (found?.mail === undefined) return undefined
  const { name, vatId, emails, mail, stopped, recipient } = found
  if (mail.heldBack !== null || mail.sentAt !== null || mail.refusal !== null) return undefined
  if (stopped !== undefined) {
    await end({ id: mail.id, heldBack: stopped })
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
const findDecided = async (
  deps: UserDependencies,
  { to, find }: Pick<Framing, 'to' | 'find'>,
): Promise<Framed | undefined> => {
  const found = await find(to)
  if (found === undefined || found.mail !== undefined) return found
  const { address, ...subject } = to
  await deps.database.transaction((tx) => admitMails(deps, tx, [{ subject, addresses: [address] }]))
  return await find(to)
}

type Sending = {
  readonly mailer: Mailer
  readonly clock: UserDependencies['clock']
  readonly log: { readonly warn: Logger['warn'] }
  readonly users: Mailing
}

export type MailBody = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

/** Sends one mail of a company and records the result. A refused mail is logged, because a retry cannot help. */
export const sendCompanyMail = async (
  { mailer, clock, log, users }: Sending,
  to: CompanyMailTo,
  compose: (frame: MailFrame) => MailBody | Promise<MailBody>,
): Promise<void> => {
  const frame = await users.frameMail(to)
  if (frame === undefined) return
  const { id, replyTo, unsubscribeUrl, companyName } = frame
  const body = await compose(frame)
  try {
    await mailer.send({
      id,
      // An invitation reaches strangers before anybody reviewed the name.
      onBehalfOf: to.kind === 'invitation' ? undefined : companyName,
      to: [{ address: to.address }],
      replyTo,
      unsubscribeUrl,
      ...body,
    })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    await users.endMail({ id, refusal: error.message })
    log.warn(
      { mailId: id, kind: to.kind, about: to.about, reason: error.message },
      `a ${to.kind} mail was refused`,
    )
    return
  }
  await users.endMail({ id, sentAt: new Date(clock.now()), isSaved: mailer.folder !== undefined })
}
