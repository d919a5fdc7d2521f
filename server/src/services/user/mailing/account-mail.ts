import { limits } from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import { languageOf, type MailLanguage, type Wording } from '../../../lib/mail-languages.ts'
import { type MailContent, oneLine, renderMail } from '../../../lib/mail-layout.ts'
import type { JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findAccountBounce } from './suppressions.store.ts'
import type { StoredUser } from '../users/users.store.ts'

export const mailJob = <Data extends object>(name: string): JobKind<Data> => ({
  name,
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
})

export type UserMail = Pick<MailContent, 'before' | 'after' | 'why'> &
  Partial<Pick<MailContent, 'facts' | 'button'>> & {
    /** The id of the job: it identifies a mail that was sent twice. */
    readonly id: string
    readonly user: Pick<StoredUser, 'id' | 'username' | 'newEmail' | 'emailConfirmedAt' | 'language'>
    readonly address: string
    readonly subject: Wording
  }

/**
 * Sends a mail about an account. Nobody can unsubscribe from these; a hard bounce stops them for a day, after which the
 * address may work. Logs a refused mail and does not retry it: the mail server would refuse it again.
 */
export const sendMail = async (deps: UserDependencies, mail: UserMail): Promise<void> => {
  const { mailer, log, clock, database } = deps
  const { id, user, address, subject, facts = [], ...content } = mail
  const bouncedAt = await findAccountBounce(database.query, address)
  if (bouncedAt !== undefined && clock.now() - bouncedAt.getTime() < limits.accountBounceSeconds * 1_000) {
    log.warn({ userId: user.id, subject: subject.en }, 'A mail was not sent because the last one bounced')
    return
  }
  const language = await languageOfUser(deps, user)
  // Anybody can register an address of somebody else, with a name that is an advertisement.
  const isProven = user.emailConfirmedAt !== null && user.newEmail !== address
  const name = isProven ? ` ${oneLine(user.username)}` : ''
  const { text, html, pictures } = renderMail({
    ...content,
    languages: [language],
    heading: subject,
    facts,
    before: [{ en: `Hello${name},`, de: `Guten Tag${name}!` }, ...content.before],
  })
  const to = [isProven ? { name: user.username, address } : { address }]
  await mailer
    .send({ id, to, subject: subject[language], text, html, attachments: pictures })
    .catch((error: unknown) => {
      if (!(error instanceof MailRefused)) throw error
      log.warn(
        { userId: user.id, subject: subject.en, reason: error.message },
        'The mail server refused a mail to a user',
      )
    })
}

/** That of the account or, if it has none, of its newest company; English without either. */
const languageOfUser = async (
  { database }: UserDependencies,
  { id, language }: UserMail['user'],
): Promise<MailLanguage> => {
  if (language !== null) return language
  const [company] = await findCompanies(database.query, { memberIds: [id], limit: 1 })
  return company === undefined ? 'en' : languageOf(company.vatId)
}

/** Why somebody receives a mail that nobody can unsubscribe from. */
export const whySecurity: Wording = {
  en: 'You receive this mail because it concerns the security of your account at Millseal. You cannot unsubscribe from such notices.',
  de: 'Sie erhalten diese E-Mail, weil sie die Sicherheit Ihres Kontos bei Millseal betrifft. Solche Hinweise können Sie nicht abbestellen.',
}

/** With this company: its reader may have several. */
export const openMillseal = (
  deps: UserDependencies,
  companyId: string,
): NonNullable<MailContent['button']> => ({
  label: { en: 'Open Millseal', de: 'Millseal öffnen' },
  url: `${deps.publicUrl()}${paths.console}?company=${companyId}`,
})
