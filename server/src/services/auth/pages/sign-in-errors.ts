import { errors } from '@millseal/contract'
import { type Markup as Html, markup as html } from '@millseal/families'
import { pageErrors } from '../../../http/page-errors.ts'
import { Problem } from '../../../lib/problem.ts'

export const failedTitle = 'Signing in did not work'

export const expiredWords =
  'This sign-in has expired, was used before, was cancelled, or was begun in another window.'

/** Where a sign-in cannot go on: what happened in a sentence, and the way to begin again. */
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
      user_exists: 'The account of this e-mail address belongs to somebody else at your sign-in service.',
      unavailable: 'The sign-in service cannot be reached right now. Please try again in a moment.',
    },
  })

const words: Partial<Record<Problem['code'], string>> = {
  credentials_wrong: 'The user name or the password is wrong.',
  user_inactive: 'This account is not active any more.',
  email_unconfirmed: 'Confirm your e-mail address first, by the link that we have mailed to you.',
  mfa_locked: 'Too many wrong codes. Please try again in an hour.',
}

/** What stands beside the field. */
export const wordsFor = ({ code }: Problem, step: string): { status: number; words: string } => ({
  status: errors[code].status,
  words:
    code === 'credentials_wrong' && step === 'code'
      ? 'This code is wrong, or was used before.'
      : (words[code] ?? `${errors[code].message}.`),
})

/** What is told beside the field, in the same form again. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && words[error.code] !== undefined
