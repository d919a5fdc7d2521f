import { limits } from '@millseal/contract'
import { type Markup as Html, markup as html } from '@millseal/families'
import { type HtmlPage, htmlPage } from '../../../http/html-page.ts'
import { expiredWords, failedMain, failedTitle } from './sign-in-errors.ts'

export type FormPage = {
  /** The address the form is sent to. */
  readonly action: string
  /** Proves that this server made the form. */
  readonly proof: string
  readonly problem?: string
}

/** Placed before its field, so that screen readers announce it when the page opens and again with the field. */
const problemNote = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="wrong" id="problem" role="alert">${problem}</p>`

const marked = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html` aria-invalid="true" aria-describedby="problem"`

/** Screen readers read the title first. */
const titled = (title: string, problem: string | undefined): string =>
  problem === undefined ? title : `Problem: ${title}`

const proofField = (proof: string): Html => html`<input type="hidden" name="proof" value="${proof}">`

export const passwordPage = ({
  action,
  proof,
  problem,
  login = '',
}: FormPage & { login?: string }): HtmlPage => ({
  title: titled('Sign in', problem),
  main: html`<h1>Sign in</h1>
<form method="post" action="${action}">
${proofField(proof)}
<label for="login">User name or e-mail address</label>
<input id="login" name="login" value="${login}" required maxlength="${limits.email.maxLength}"
 autocomplete="username" autocapitalize="none" spellcheck="false"${login === '' ? html` autofocus` : undefined}>
<label for="password">Password</label>
${problemNote(problem)}
<input id="password" name="password" type="password" required maxlength="${limits.password.maxLength}"
 autocomplete="current-password"${marked(problem)}${login === '' ? undefined : html` autofocus`}>
<button>Sign in</button>
</form>`,
})

export const codePage = ({ action, proof, problem }: FormPage): HtmlPage => ({
  title: titled('Confirm that it is you', problem),
  main: html`<h1>Confirm that it is you</h1>
<p class="quiet">Open your authenticator app and enter the code it shows for Millseal.</p>
<form method="post" action="${action}">
${proofField(proof)}
<label for="code">Code</label>
${problemNote(problem)}
<input id="code" name="code" class="code" required maxlength="${limits.mfaCode.maxLength}" inputmode="text"
 autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus${marked(problem)}>
<p class="quiet">Without your authenticator? Enter your recovery code instead.</p>
<button>Continue</button>
</form>`,
})

export const consentPage = ({ action, proof }: FormPage): HtmlPage => ({
  title: 'Continue to the console',
  main: html`<h1>Continue to the console</h1>
<p>The Millseal console will learn who you are. It will not learn your password.</p>
<form method="post" action="${action}">
${proofField(proof)}
<button name="decision" value="continue">Continue</button>
<button name="decision" value="cancel" class="second">Cancel</button>
</form>`,
})

export const problemPage = (again: string): string => htmlPage(failedTitle, failedMain(expiredWords, again))
