import { type OpenInvitation, limits } from '@millseal/contract'
import type { PageLanguage } from './page-language.ts'

const { username, password } = limits

type Role = OpenInvitation['role']

export const invitationWords = {
  en: {
    title: 'Join a company',
    problem: 'Problem',
    offer: ({ invitedBy, email, company, role }: OpenInvitation) =>
      `${invitedBy} invites ${email} to ${company.name} (${company.vatId}) as ${enRoles[role]}.`,
    unreviewed:
      'The operator of this service has not reviewed this company yet. Accept only if you expect this invitation.',
    confirmed: 'You keep your account and its password.',
    unconfirmed: 'Your account is not confirmed yet. Choose a password; it replaces the present one.',
    none: 'This creates your account.',
    username: 'User name',
    usernameRefused:
      'Choose another user name: with letters of one script, digits and . _ - + only, and not one that looks like the name of another user or of the operator.',
    usernameRule: `${username.minLength} to ${username.maxLength} letters, digits and . _ - +`,
    usernameTaken: 'This user name already has an account. Choose another one.',
    password: 'Password',
    passwordRule: `${password.minLength} to ${password.maxLength} characters`,
    passwordRejected:
      'The password must not be the username, the e-mail address or the company, also with little added, nor a common password, and needs at least 4 different characters.',
    accept: 'Accept',
    done: 'You are a member now',
    doneText: 'Sign in to open the company.',
    signIn: 'Sign in',
    invalid: 'This link is no longer valid',
    invalidText:
      'An invitation works once, for two weeks, and until it is withdrawn. Ask the company for a new one. If you have accepted it already, sign in.',
  },
  de: {
    title: 'Einer Firma beitreten',
    problem: 'Problem',
    offer: ({ invitedBy, email, company, role }: OpenInvitation) =>
      `${invitedBy} lädt ${email} zu ${company.name} (${company.vatId}) ein, als ${deRoles[role]}.`,
    unreviewed:
      'Der Betreiber dieses Dienstes hat diese Firma noch nicht geprüft. Nehmen Sie die Einladung nur an, wenn Sie sie erwarten.',
    confirmed: 'Ihr Konto und Ihr Passwort bleiben, wie sie sind.',
    unconfirmed: 'Ihr Konto ist noch nicht bestätigt. Wählen Sie ein Passwort; es ersetzt das bisherige.',
    none: 'Damit legen Sie Ihr Konto an.',
    username: 'Benutzername',
    usernameRefused:
      'Wählen Sie einen anderen Benutzernamen: nur mit Buchstaben einer Schrift, Ziffern und . _ - +, und keinen, der wie der eines anderen Benutzers oder des Betreibers aussieht.',
    usernameRule: `${username.minLength} bis ${username.maxLength} Buchstaben, Ziffern und . _ - +`,
    usernameTaken: 'Diesen Benutzernamen gibt es schon. Wählen Sie einen anderen.',
    password: 'Passwort',
    passwordRule: `${password.minLength} bis ${password.maxLength} Zeichen`,
    passwordRejected:
      'Das Passwort darf weder Ihr Benutzername noch Ihre E-Mail-Adresse noch die Firma sein, auch nicht mit wenig mehr, und kein häufiges Passwort. Es braucht mindestens 4 verschiedene Zeichen.',
    accept: 'Annehmen',
    done: 'Sie sind jetzt Mitglied',
    doneText: 'Melden Sie sich an, um die Firma zu öffnen.',
    signIn: 'Anmelden',
    invalid: 'Dieser Link gilt nicht mehr',
    invalidText:
      'Eine Einladung funktioniert einmal, zwei Wochen lang und bis sie zurückgezogen wird. Bitten Sie die Firma um eine neue. Wenn Sie sie schon angenommen haben, melden Sie sich an.',
  },
} satisfies Record<PageLanguage, unknown>

const enRoles: Readonly<Record<Role, string>> = {
  admin: 'an admin',
  approver: 'an approver',
  clerk: 'a clerk',
  operator: 'a dispatcher',
  read_only: 'a reader',
}

const deRoles: Readonly<Record<Role, string>> = {
  admin: 'Administrator',
  approver: 'Freigeber',
  clerk: 'Sachbearbeiter',
  operator: 'Mitarbeiter im Versand',
  read_only: 'Leser',
}
