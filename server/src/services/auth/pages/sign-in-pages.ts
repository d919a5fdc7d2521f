import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '@millseal/contract'
import { type Markup as Html, markup as html } from '@millseal/families'
import { type HtmlPage, htmlPage } from '../../../http/html-page.ts'
import { paths } from '../../../http/pages/links.ts'
import { type PageLanguage, pageLanguageOf } from '../../../http/pages/page-language.ts'
import { againLink, expiredWords, failedTitle, type FormProblem } from './sign-in-errors.ts'
import { signInWords } from './sign-in-words.ts'

export type FormPage = {
  readonly language: PageLanguage
  /** The address the form is sent to. */
  readonly action: string
  /** Proves that this server made the form. */
  readonly proof: string
  readonly problem?: FormProblem
  /** A passkey in place of what the form asks for. */
  readonly passkey?: {
    readonly action: string
    readonly proof: string
    /** PublicKeyCredentialRequestOptionsJSON. */
    readonly request: string
  }
}

/** Placed before its field, so that screen readers announce it when the page opens and again with the field. */
const problemNote = (problem: FormProblem | undefined): Html | undefined =>
  problem && html`<p class="wrong" id="problem" role="alert">${problem.words}</p>`

const marked = (problem: FormProblem | undefined): Html | undefined =>
  problem && html` aria-invalid="true" aria-describedby="problem"`

/** Screen readers read the title first. */
const titled = (title: string, { language, problem }: FormPage): Pick<HtmlPage, 'title' | 'language'> => ({
  title: problem === undefined ? title : signInWords[language].problem(title),
  language,
})

const proofField = ({ proof }: { readonly proof: string }): Html =>
  html`<input type="hidden" name="proof" value="${proof}">`

/** Hidden until its script has found that the browser can use passkeys. */
const passkeyForm = ({ language, passkey }: FormPage): Html | undefined => {
  const t = signInWords[language]
  return (
    passkey &&
    html`<div class="passkey" hidden>
<p class="or">${t.or}</p>
<form method="post" action="${passkey.action}" data-passkey="${passkey.request}">
${proofField(passkey)}
<input type="hidden" name="response" value="">
<p class="wrong" id="passkey-failed" role="alert" hidden>${t.passkeyFailed}</p>
<button class="second">${t.passkey}</button>
</form>
</div>`
  )
}

const passkeyScript = ({ passkey }: FormPage): Pick<HtmlPage, 'script'> =>
  passkey === undefined ? {} : { script: 'sign-in/passkey.ts' }

export const passwordPage = ({ login = '', ...page }: FormPage & { login?: string }): HtmlPage => {
  const { language, action, problem } = page
  const t = signInWords[language]
  return {
    ...titled(t.signIn, page),
    ...passkeyScript(page),
    main: html`<h1>${t.signIn}</h1>
<form method="post" action="${action}">
${proofField(page)}
<label for="login">${t.login}</label>
<input id="login" name="login" value="${login}" required maxlength="${limits.email.maxLength}"
 autocomplete="username" autocapitalize="none" spellcheck="false"${login === '' ? html` autofocus` : undefined}>
<label for="password">${t.password}</label>
${problemNote(problem)}
<input id="password" name="password" type="password" required maxlength="${limits.password.maxLength}"
 autocomplete="current-password"${marked(problem)}${login === '' ? undefined : html` autofocus`}>
<button>${t.signIn}</button>
</form>
${passkeyForm(page)}
<ul class="links">
${problem?.code === 'email_unconfirmed' ? html`<li><a href="${paths.resend}">${t.resend}</a></li>` : undefined}
<li><a href="${paths.forgot}">${t.forgot}</a></li>
<li>${t.noAccount} <a href="${paths.register}">${t.register}</a></li>
</ul>`,
  }
}

export const codePage = (page: FormPage): HtmlPage => {
  const { language, action, problem } = page
  const t = signInWords[language]
  return {
    ...titled(t.confirm, page),
    ...passkeyScript(page),
    main: html`<h1>${t.confirm}</h1>
<p class="muted">${t.confirmText}</p>
<form method="post" action="${action}">
${proofField(page)}
<label for="code">${t.code}</label>
${problemNote(problem)}
<input id="code" name="code" class="code" required maxlength="${limits.mfaCode.maxLength}" inputmode="text"
 autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus${marked(problem)}>
<p class="hint">${t.recovery}</p>
<button>${t.continue}</button>
</form>
${passkeyForm(page)}`,
  }
}

export const consentPage = (page: FormPage): HtmlPage => {
  const t = signInWords[page.language]
  return {
    ...titled(t.consent, page),
    main: html`<h1>${t.consent}</h1>
<p>${t.consentText}</p>
<form method="post" action="${page.action}">
${proofField(page)}
<button name="decision" value="continue">${t.continue}</button>
<button name="decision" value="cancel" class="second">${t.cancel}</button>
</form>`,
  }
}

/** For answers of the provider itself, which does not use Fastify. */
export const problemPage = (request: { readonly headers: IncomingHttpHeaders }, again: string): string => {
  const language = pageLanguageOf(request)
  const title = failedTitle[language]
  return htmlPage({
    title,
    language,
    main: html`<h1>${title}</h1>
<p>${expiredWords[language]}</p>
${againLink(again, language)}`,
  })
}
