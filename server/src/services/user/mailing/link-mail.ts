import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken, newLinkToken } from '../users/link-token.ts'
import { insertLink, type LinkPurpose } from '../users/links.store.ts'
import { mailJob, sendMail, whySecurity } from './account-mail.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'

type UserJob = { readonly userId: string }

export const confirmationMail = mailJob<UserJob>('user-confirmation-mail')
export const newEmailMail = mailJob<UserJob>('user-new-email-mail')
export const passwordResetMail = mailJob<UserJob>('user-password-reset-mail')

type LinkWords = {
  readonly lifetimeHours: number
  readonly path: string
  readonly subject: Wording
  readonly before: Wording
  readonly label: Wording
  readonly after: Wording
  readonly why: Wording
}

const registered: Wording = {
  en: 'You receive this mail because somebody registered at Millseal with this address.',
  de: 'Sie erhalten diese E-Mail, weil sich jemand mit dieser Adresse bei Millseal registriert hat.',
}

const linkMails: Readonly<Record<LinkPurpose, LinkWords>> = {
  confirm_email: {
    lifetimeHours: 24,
    path: paths.confirm,
    subject: { en: 'Confirm your e-mail address', de: 'Bestätigen Sie Ihre E-Mail-Adresse' },
    before: {
      en: 'Please confirm your e-mail address for Millseal by opening this link within 24 hours:',
      de: 'Bitte bestätigen Sie Ihre E-Mail-Adresse für Millseal, indem Sie diesen Link innerhalb von 24 Stunden öffnen:',
    },
    label: { en: 'Confirm address', de: 'Adresse bestätigen' },
    after: {
      en: 'If you did not register, ignore this mail. Nothing happens unless the link is opened.',
      de: 'Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail. Solange niemand den Link öffnet, geschieht nichts.',
    },
    why: registered,
  },
  confirm_new_email: {
    lifetimeHours: 24,
    path: paths.confirm,
    subject: { en: 'Confirm your new e-mail address', de: 'Bestätigen Sie Ihre neue E-Mail-Adresse' },
    before: {
      en: 'Please confirm that this is your new e-mail address by opening this link within 24 hours:',
      de: 'Bitte bestätigen Sie, dass dies Ihre neue E-Mail-Adresse ist, indem Sie diesen Link innerhalb von 24 Stunden öffnen:',
    },
    label: { en: 'Confirm address', de: 'Adresse bestätigen' },
    after: {
      en: 'Until then, your account keeps its previous address. If you did not request this, ignore this mail.',
      de: 'Bis dahin behält Ihr Konto die bisherige Adresse. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.',
    },
    why: {
      en: 'You receive this mail because somebody entered this address as the new one of an account at Millseal.',
      de: 'Sie erhalten diese E-Mail, weil jemand diese Adresse als neue Adresse eines Kontos bei Millseal angegeben hat.',
    },
  },
  reset_password: {
    lifetimeHours: 1,
    path: paths.reset,
    subject: { en: 'Set a new password', de: 'Legen Sie ein neues Passwort fest' },
    before: {
      en: 'Open this link within an hour to set a new password. It works once:',
      de: 'Öffnen Sie diesen Link innerhalb einer Stunde, um ein neues Passwort festzulegen. Er funktioniert einmal:',
    },
    label: { en: 'Set new password', de: 'Neues Passwort festlegen' },
    after: {
      en: 'If you did not request this, ignore this mail. Your password stays the same.',
      de: 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
    },
    why: {
      en: 'You receive this mail because somebody requested a new password for your account at Millseal.',
      de: 'Sie erhalten diese E-Mail, weil jemand ein neues Passwort für Ihr Konto bei Millseal angefordert hat.',
    },
  },
  unlock_sign_in: {
    lifetimeHours: 1,
    path: paths.unlock,
    subject: { en: 'Sign-ins to your account are locked', de: 'Anmeldungen bei Ihrem Konto sind gesperrt' },
    before: {
      en: 'Someone entered wrong passwords for your account until sign-ins from there were locked for an hour. If this was you, end the lock with this link. It works once, within an hour:',
      de: 'Jemand hat für Ihr Konto falsche Passwörter eingegeben, bis Anmeldungen von dort für eine Stunde gesperrt wurden. Wenn Sie das waren, heben Sie die Sperre mit diesem Link auf. Er funktioniert einmal und eine Stunde lang:',
    },
    label: { en: 'End the lock', de: 'Sperre aufheben' },
    after: {
      en: 'If it was not you, you need not do anything: your password was not guessed, and the lock ends by itself. A new password ends it at once, too: choose “Forgot your password?” where you sign in.',
      de: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort wurde nicht erraten, und die Sperre endet von selbst. Auch ein neues Passwort beendet sie sofort: Wählen Sie bei der Anmeldung „Passwort vergessen?“.',
    },
    why: whySecurity,
  },
}

export const sendConfirmationMail = async (
  deps: UserDependencies,
  { id, data }: Job<UserJob>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user === undefined || user.emailConfirmedAt !== null) return
  await sendLinkMail(deps, { id, user, address: user.email, purpose: 'confirm_email' })
}

/** Sends the link to the new address the user has when the job runs. */
export const sendNewEmailMail = async (deps: UserDependencies, { id, data }: Job<UserJob>): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  const newEmail = user?.newEmail ?? undefined
  if (user === undefined || newEmail === undefined) return
  await sendLinkMail(deps, { id, user, address: newEmail, purpose: 'confirm_new_email', newEmail })
}

export const sendPasswordResetMail = async (
  deps: UserDependencies,
  { id, data }: Job<UserJob>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user?.status !== 'active') return
  await sendLinkMail(deps, { id, user, address: user.email, purpose: 'reset_password' })
}

export const sendUnlockMail = (
  deps: UserDependencies,
  { id, user }: Pick<LinkMail, 'id' | 'user'>,
): Promise<void> => sendLinkMail(deps, { id, user, address: user.email, purpose: 'unlock_sign_in' })

/** Opening the link proves that the user owns the address. */
type LinkMail = {
  readonly id: string
  readonly user: StoredUser
  readonly address: string
  readonly purpose: LinkPurpose
  readonly newEmail?: string
}

/** Creates the token while sending: the mail contains it, the database its hash, and the job neither. */
const sendLinkMail = async (
  deps: UserDependencies,
  { id, user, address, purpose, newEmail }: LinkMail,
): Promise<void> => {
  const { path, lifetimeHours, subject, before, label, after, why } = linkMails[purpose]
  const token = newLinkToken()
  const now = deps.clock.now()
  await insertLink(deps.database.query, {
    tokenHash: hashLinkToken(token),
    userId: user.id,
    purpose,
    newEmail,
    createdAt: new Date(now),
    expiresAt: new Date(now + lifetimeHours * 60 * 60 * 1_000),
  })
  const button = { label, url: `${deps.publicUrl()}${path}?token=${token.reveal()}` }
  await sendMail(deps, { id, user, address, subject, before: [before], button, after: [after], why })
}
