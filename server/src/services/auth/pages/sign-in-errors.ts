import { errors } from '@millseal/contract'
import { type Markup as Html, markup as html } from '@millseal/families'
import { pageErrors } from '../../../http/page-errors.ts'
import { Problem } from '../../../lib/problem.ts'

export const failedTitle = 'Signing in did not work'

export const expiredWords =
  'This sign-in has expired, was used before, was cancelled, or was started in another window.'

/** Shown if a sign-in cannot continue: what happened, and a link to start again. */
export const failedMain = (reason: string, again: string): Html =>
  html`<h1>${failedTitle}</h1>
<p>${reason}</p>
<p><a class="button" href="${again}">Sign in again</a></p>`

export const signInErrors = (publicUrl: () => string) =>
  pageErrors({
    title: failedTitle,
    main: (reason) => failedMain(reason, `${publicUrl()}/auth/login`),
    words: {
      link_invalid: expiredWords,
      validation_failed: 'This form did not come from our page.',
      email_unconfirmed: 'Your sign-in service has not verified your e-mail address.',
      user_exists: 'The account of this e-mail address belongs to another person at your sign-in service.',
      unavailable: 'The sign-in service cannot be reached right now. Please try again in a moment.',
    },
  })

const words: Partial<Record<Problem['code'], string>> = {
  credentials_wrong: 'The user name or the password is wrong.',
  user_inactive: 'This account is no longer active.',
  email_unconfirmed: 'Confirm your e-mail address first: open the link in the e-mail we sent you.',
  mfa_locked: 'Too many wrong codes. Please try again in an hour.',
}

/** The status and the sentence to show in the form again. */
export const problemOnForm = ({ code }: Problem, step: string): { status: number; words: string } => ({
  status: errors[code].status,
  words:
    code === 'credentials_wrong' && step === 'code'
      ? 'This code is wrong, or was used before.'
      : (words[code] ?? `${errors[code].message}.`),
})

/** Whether the person can correct the problem in the same form. */
export const isShownOnForm = (error: unknown): error is Problem =>
  error instanceof Problem && words[error.code] !== undefined
