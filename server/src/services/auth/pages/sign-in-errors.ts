import { type ErrorCode, errors } from '@millseal/contract'
import { type Markup as Html, markup as html } from '@millseal/families'
import { pageErrors, sentenceOf } from '../../../http/page-errors.ts'
import type { PageLanguage } from '../../../http/pages/page-language.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { Problem } from '../../../lib/problem.ts'

export const failedTitle: Wording = {
  en: 'Signing in did not work',
  de: 'Die Anmeldung hat nicht geklappt',
}

export const expiredWords: Wording = {
  en: 'This sign-in has expired, was used before, was cancelled, or was started in another window.',
  de: 'Diese Anmeldung ist abgelaufen, wurde schon verwendet, wurde abgebrochen oder in einem anderen Fenster begonnen.',
}

const signInAgain: Wording = { en: 'Sign in again', de: 'Neu anmelden' }

export const againLink = (again: string, language: PageLanguage): Html =>
  html`<p><a class="button" href="${again}">${signInAgain[language]}</a></p>`

const failures: Partial<Record<ErrorCode, Wording>> = {
  link_invalid: expiredWords,
  validation_failed: {
    en: 'This form did not come from our page.',
    de: 'Dieses Formular kam nicht von unserer Seite.',
  },
  email_unconfirmed: {
    en: 'Your sign-in service has not verified your e-mail address. Ask the people who run it to do so, then sign in again.',
    de: 'Ihr Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bitten Sie dessen Betreiber darum und melden Sie sich dann neu an.',
  },
  user_exists: {
    en: 'The account of this e-mail address belongs to another person at your sign-in service. Ask the operator of this service.',
    de: 'Das Konto mit dieser E-Mail-Adresse gehört bei Ihrem Anmeldedienst zu einer anderen Person. Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  unavailable: {
    en: 'The sign-in service cannot be reached right now. Please try again in a moment.',
    de: 'Der Anmeldedienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  },
}

/** What happened, and a link to start again. */
export const signInErrors = (publicUrl: () => string) =>
  pageErrors((problem, language) => ({
    title: failedTitle[language],
    text: failures[problem.code]?.[language] ?? sentenceOf(problem, language),
    action: againLink(`${publicUrl()}/auth/login`, language),
  }))

const words: Partial<Record<ErrorCode, Wording>> = {
  credentials_wrong: {
    en: 'The user name or the password is wrong.',
    de: 'Der Benutzername oder das Passwort ist falsch.',
  },
  user_inactive: {
    en: 'This account is no longer active.',
    de: 'Dieses Konto ist nicht mehr aktiv.',
  },
  email_unconfirmed: {
    en: 'Confirm your e-mail address first: open the link in the e-mail we sent you.',
    de: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link in unserer E-Mail.',
  },
  sign_in_locked: {
    en: 'Too many failed sign-ins. Please wait, or request a new password: it ends the lock.',
    de: 'Zu viele fehlgeschlagene Anmeldungen. Bitte warten Sie, oder fordern Sie ein neues Passwort an: Es beendet die Sperre.',
  },
  mfa_locked: {
    en: 'Too many wrong codes. Please try again in an hour.',
    de: 'Zu viele falsche Codes. Bitte versuchen Sie es in einer Stunde noch einmal.',
  },
}

const wrongCode: Wording = {
  en: 'This code is wrong, or was used before.',
  de: 'Dieser Code ist falsch oder wurde schon verwendet.',
}

const wrongPasskey: Wording = {
  en: 'This passkey was not accepted. Try again, or use the form.',
  de: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder verwenden Sie das Formular.',
}

/** What was wrong, where the credentials were not a password. */
const wrongAt: Readonly<Record<string, Wording>> = { code: wrongCode, passkey: wrongPasskey }

export type FormProblem = { readonly code: ErrorCode; readonly words: string }

/** The status and the sentence to show in the form again. */
export const problemOnForm = (
  problem: Problem,
  step: string,
  language: PageLanguage,
): FormProblem & { readonly status: number } => {
  const { code } = problem
  const wrong = code === 'credentials_wrong' ? wrongAt[step] : undefined
  const shown = (wrong ?? words[code])?.[language] ?? sentenceOf(problem, language)
  return { code, status: errors[code].status, words: shown }
}

/** Whether the person can correct the problem in the same form. */
export const isShownOnForm = (error: unknown): error is Problem =>
  error instanceof Problem && words[error.code] !== undefined
