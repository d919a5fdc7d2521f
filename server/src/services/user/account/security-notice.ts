import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { sendUnlockMail } from './link-mail.ts'
import { mailJob, sendMail } from './mail.ts'
import { findUser } from './users.store.ts'

/** Changes that somebody other than the owner of the account may have made. */
const notices = {
  password_changed: {
    en: 'Your password was changed, and all other sessions were signed out.',
    de: 'Ihr Passwort wurde geändert, und alle anderen Sitzungen wurden abgemeldet.',
  },
  email_changed: {
    en: 'The e-mail address of your account was changed.',
    de: 'Die E-Mail-Adresse Ihres Kontos wurde geändert.',
  },
  authenticator_added: {
    en: 'An authenticator was added to your account, and all other sessions were signed out.',
    de: 'Zu Ihrem Konto wurde ein Authenticator hinzugefügt, und alle anderen Sitzungen wurden abgemeldet.',
  },
  authenticator_removed: {
    en: 'An authenticator was removed from your account, and all other sessions were signed out.',
    de: 'Ein Authenticator wurde aus Ihrem Konto entfernt, und alle anderen Sitzungen wurden abgemeldet.',
  },
  passkey_added: {
    en: 'A passkey was added to your account, and all other sessions were signed out.',
    de: 'Zu Ihrem Konto wurde ein Passkey hinzugefügt, und alle anderen Sitzungen wurden abgemeldet.',
  },
  passkey_removed: {
    en: 'A passkey was removed from your account, and all other sessions were signed out.',
    de: 'Ein Passkey wurde aus Ihrem Konto entfernt, und alle anderen Sitzungen wurden abgemeldet.',
  },
  passkey_refused: {
    en: 'A passkey of your account was refused because it seems to be a copy. Remove it if you do not know why.',
    de: 'Ein Passkey Ihres Kontos wurde abgelehnt, weil er eine Kopie zu sein scheint. Entfernen Sie ihn, wenn Sie den Grund nicht kennen.',
  },
  mfa_disabled: {
    en: 'Multi-factor authentication was switched off because the last second factor of your account was removed. All other sessions were signed out.',
    de: 'Die Multi-Faktor-Authentifizierung wurde ausgeschaltet, weil der letzte zweite Faktor Ihres Kontos entfernt wurde. Alle anderen Sitzungen wurden abgemeldet.',
  },
  recovery_codes_created: {
    en: 'New recovery codes were created for your account. The previous ones no longer work, and all other sessions were signed out.',
    de: 'Für Ihr Konto wurden neue Wiederherstellungscodes erzeugt. Die bisherigen gelten nicht mehr, und alle anderen Sitzungen wurden abgemeldet.',
  },
  code_locked: {
    en: 'Someone who knows your password entered wrong codes until the authenticator was locked for an hour.',
    de: 'Jemand, der Ihr Passwort kennt, hat falsche Codes eingegeben, bis der Authenticator für eine Stunde gesperrt wurde.',
  },
  recovery_code_used: {
    en: 'A recovery code of your account was used.',
    de: 'Ein Wiederherstellungscode Ihres Kontos wurde verwendet.',
  },
  sessions_ended: {
    en: 'A session of your account was signed out because a refresh token was used after it had been replaced. Someone may have a copy of it.',
    de: 'Eine Sitzung Ihres Kontos wurde abgemeldet, weil ein bereits ersetztes Refresh-Token verwendet wurde. Möglicherweise besitzt jemand eine Kopie davon.',
  },
  long_lived_token_created: {
    en: 'A long-lived access token was created in your name.',
    de: 'In Ihrem Namen wurde ein langlebiges Zugriffstoken ausgestellt.',
  },
  issuer_linked: {
    en: 'You can now sign in to your account through the sign-in service of your organisation.',
    de: 'Sie können sich jetzt über den Anmeldedienst Ihrer Organisation bei Ihrem Konto anmelden.',
  },
} as const satisfies Readonly<Record<string, Wording>>

/** `sign_in_locked` is a mail of its own, with a link that ends the lock. */
export type Notice = keyof typeof notices | 'sign_in_locked'

type NoticeTo = {
  readonly userId: string
  readonly notice: Notice
  /** Instead of the current address of the user. */
  readonly address?: string
}

export const securityNotice = mailJob<NoticeTo>('user-security-notice')

export type Notify = (tx: Transaction, to: NoticeTo) => Promise<void>

/** Runs in the transaction of the change: no change is committed without its mail. */
export const notify = ({ jobs }: UserDependencies, tx: Transaction, to: NoticeTo): Promise<void> =>
  jobs.enqueue(tx, securityNotice, to)

export const sendSecurityNotice = async (
  deps: UserDependencies,
  { id, data }: Job<NoticeTo>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user === undefined) return
  if (data.notice === 'sign_in_locked') return await sendUnlockMail(deps, { id, user })
  await sendMail(deps, {
    id,
    user,
    address: data.address ?? user.email,
    subject: {
      en: 'A change to the security of your account',
      de: 'Eine Änderung an der Sicherheit Ihres Kontos',
    },
    before: [
      notices[data.notice],
      {
        en: 'If this was you, you do not need to do anything. If it was not, set a new password now:',
        de: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, legen Sie jetzt ein neues Passwort fest:',
      },
    ],
    button: {
      label: { en: 'Set a new password', de: 'Neues Passwort festlegen' },
      url: `${deps.publicUrl()}${paths.forgot}`,
    },
    after: [],
    why: {
      en: 'You receive this mail because it concerns the security of your account. You cannot unsubscribe from such notices.',
      de: 'Sie erhalten diese E-Mail, weil sie die Sicherheit Ihres Kontos betrifft. Solche Hinweise können Sie nicht abbestellen.',
    },
  })
}
