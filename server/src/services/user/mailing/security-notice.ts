import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { sendUnlockMail } from './link-mail.ts'
import { mailJob, sendMail, whySecurity } from './account-mail.ts'
import { findUser } from '../users/users.store.ts'

const othersSignedOut: Wording = {
  en: 'All other sessions were signed out.',
  de: 'Alle anderen Sitzungen wurden abgemeldet.',
}

const unlessYou: Wording = {
  en: 'If this was you, you do not need to do anything. If it was not, set a new password now:',
  de: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, legen Sie jetzt ein neues Passwort fest:',
}

const unlessExplained: Wording = {
  en: 'If you cannot explain this, set a new password now:',
  de: 'Wenn Sie sich das nicht erklären können, legen Sie jetzt ein neues Passwort fest:',
}

/** Changes that somebody other than the owner of the account may have made. */
const notices = {
  password_changed: {
    subject: { en: 'Your password was changed', de: 'Ihr Passwort wurde geändert' },
    text: othersSignedOut,
    advice: unlessYou,
  },
  email_changed: {
    subject: {
      en: 'The e-mail address of your account was changed',
      de: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
    },
    text: {
      en: 'Mails about your account go to the new address from now on.',
      de: 'E-Mails zu Ihrem Konto gehen ab jetzt an die neue Adresse.',
    },
    advice: {
      en: 'If this was you, you do not need to do anything. If it was not, sign in with your user name, and change your password and the address. If you cannot sign in any more, ask the operator of this service to deactivate the account.',
      de: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, melden Sie sich mit Ihrem Benutzernamen an und ändern Sie Passwort und Adresse. Wenn Sie sich nicht mehr anmelden können, bitten Sie den Betreiber dieses Dienstes, das Konto zu deaktivieren.',
    },
  },
  authenticator_added: {
    subject: {
      en: 'An authenticator was added to your account',
      de: 'Zu Ihrem Konto wurde ein Authenticator hinzugefügt',
    },
    text: othersSignedOut,
    advice: unlessYou,
  },
  authenticator_removed: {
    subject: {
      en: 'An authenticator was removed from your account',
      de: 'Ein Authenticator wurde aus Ihrem Konto entfernt',
    },
    text: othersSignedOut,
    advice: unlessYou,
  },
  passkey_added: {
    subject: {
      en: 'A passkey was added to your account',
      de: 'Zu Ihrem Konto wurde ein Passkey hinzugefügt',
    },
    text: othersSignedOut,
    advice: unlessYou,
  },
  passkey_removed: {
    subject: {
      en: 'A passkey was removed from your account',
      de: 'Ein Passkey wurde aus Ihrem Konto entfernt',
    },
    text: othersSignedOut,
    advice: unlessYou,
  },
  passkey_refused: {
    subject: { en: 'A passkey of your account was refused', de: 'Ein Passkey Ihres Kontos wurde abgelehnt' },
    text: {
      en: 'It seems to be a copy. Remove it if you do not know why.',
      de: 'Er scheint eine Kopie zu sein. Entfernen Sie ihn, wenn Sie den Grund nicht kennen.',
    },
    advice: unlessExplained,
  },
  mfa_disabled: {
    subject: {
      en: 'Multi-factor authentication was switched off',
      de: 'Die Multi-Faktor-Authentifizierung wurde ausgeschaltet',
    },
    text: {
      en: 'The last second factor of your account was removed. All other sessions were signed out.',
      de: 'Der letzte zweite Faktor Ihres Kontos wurde entfernt. Alle anderen Sitzungen wurden abgemeldet.',
    },
    advice: unlessYou,
  },
  recovery_codes_created: {
    subject: {
      en: 'New recovery codes were created for your account',
      de: 'Für Ihr Konto wurden neue Wiederherstellungscodes erzeugt',
    },
    text: {
      en: 'The previous ones no longer work. All other sessions were signed out.',
      de: 'Die bisherigen gelten nicht mehr. Alle anderen Sitzungen wurden abgemeldet.',
    },
    advice: unlessYou,
  },
  code_locked: {
    subject: {
      en: 'Someone entered wrong codes for your account',
      de: 'Jemand hat für Ihr Konto falsche Codes eingegeben',
    },
    text: {
      en: 'The authenticator is locked for an hour. The person who entered the wrong codes knows your password.',
      de: 'Der Authenticator ist für eine Stunde gesperrt. Wer die falschen Codes eingegeben hat, kennt Ihr Passwort.',
    },
    advice: unlessYou,
  },
  recovery_code_used: {
    subject: {
      en: 'A recovery code of your account was used',
      de: 'Ein Wiederherstellungscode Ihres Kontos wurde verwendet',
    },
    text: { en: 'It does not work again.', de: 'Er gilt jetzt nicht mehr.' },
    advice: unlessYou,
  },
  sessions_ended: {
    subject: {
      en: 'A session of your account was signed out',
      de: 'Eine Sitzung Ihres Kontos wurde abgemeldet',
    },
    text: {
      en: 'A refresh token was used after it had been replaced. Someone may have a copy of it.',
      de: 'Ein bereits ersetztes Refresh-Token wurde verwendet. Möglicherweise besitzt jemand eine Kopie davon.',
    },
    advice: unlessExplained,
  },
  long_lived_token_created: {
    subject: {
      en: 'A long-lived access token was created in your name',
      de: 'In Ihrem Namen wurde ein langlebiges Zugriffstoken ausgestellt',
    },
    text: {
      en: 'With it, programs act for your company without signing in.',
      de: 'Damit handeln Programme ohne Anmeldung für Ihre Firma.',
    },
    advice: unlessYou,
  },
  issuer_linked: {
    subject: {
      en: 'You can now sign in through your organisation',
      de: 'Sie können sich jetzt über Ihre Organisation anmelden',
    },
    text: {
      en: 'Its sign-in service was linked to your account.',
      de: 'Ihr Konto wurde mit deren Anmeldedienst verbunden.',
    },
    advice: unlessYou,
  },
} as const satisfies Readonly<
  Record<string, { readonly subject: Wording; readonly text: Wording; readonly advice: Wording }>
>

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
  const { subject, text, advice } = notices[data.notice]
  await sendMail(deps, {
    id,
    user,
    address: data.address ?? user.email,
    subject,
    before: [text, advice],
    // A link for a new password would go to the new address.
    button: data.notice === 'email_changed' ? signIn(deps) : newPassword(deps),
    after: [],
    why: whySecurity,
  })
}

const newPassword = ({ publicUrl }: UserDependencies) => ({
  label: { en: 'Set a new password', de: 'Neues Passwort festlegen' },
  url: `${publicUrl()}${paths.forgot}`,
})

const signIn = ({ publicUrl }: UserDependencies) => ({
  label: { en: 'Sign in', de: 'Anmelden' },
  url: `${publicUrl()}${paths.signIn}`,
})
