import { createHash } from 'node:crypto'
import { errors, limits, operations } from '@millseal/contract'
import { markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { browserErrors, type Explain } from '../page-errors.ts'
import { isFromOwnPages } from '../same-origin.ts'
import type { AccountPages } from './accounts.ts'
import { formField, invalidFields, limitOf, readFields, titleOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { mailForm } from './mail-pages.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'
import { passwordLinkCookie } from './password-link.ts'

const { password } = limits

const words = {
  en: {
    title: 'Set a new password',
    problem: 'Problem',
    intro: 'This signs you out on all devices.',
    label: 'New password',
    rule: `${password.minLength} to ${password.maxLength} characters`,
    rejected:
      'Choose a password that is neither your user name nor your e-mail address and has at least 4 different characters.',
    button: 'Set password',
    done: 'Your new password is set',
    doneText: 'You are signed out everywhere. Sign in with the new password.',
    signIn: 'Sign in',
    invalid: 'This link is no longer valid',
    invalidText:
      'It works once, within an hour, and in the browser that opened it from the mail. Enter the address of your account to get a new one.',
  },
  de: {
    title: 'Neues Passwort festlegen',
    problem: 'Problem',
    intro: 'Damit werden Sie auf allen Geräten abgemeldet.',
    label: 'Neues Passwort',
    rule: `${password.minLength} bis ${password.maxLength} Zeichen`,
    rejected:
      'Wählen Sie ein Passwort, das weder Ihr Benutzername noch Ihre E-Mail-Adresse ist und mindestens 4 verschiedene Zeichen hat.',
    button: 'Passwort festlegen',
    done: 'Ihr neues Passwort gilt jetzt',
    doneText: 'Sie sind überall abgemeldet. Melden Sie sich mit dem neuen Passwort an.',
    signIn: 'Anmelden',
    invalid: 'Dieser Link gilt nicht mehr',
    invalidText:
      'Er funktioniert einmal, eine Stunde lang und in dem Browser, der ihn aus der E-Mail geöffnet hat. Geben Sie die Adresse Ihres Kontos ein, um einen neuen zu erhalten.',
  },
} satisfies Record<PageLanguage, unknown>

const explain: Explain = ({ code }, language) => {
  const { invalid: title, invalidText: text } = words[language]
  return code === 'link_invalid' ? { title, text, action: mailForm('forgot', language) } : undefined
}

const invalid = invalidFields(operations.resetPassword.body.schema)

/**
 * The page for a new password. The mailed link has the token in its query; the server moves it to a cookie and opens the
 * page without it, so that the address, the history and other sites do not get it.
 */
export const registerPasswordPage = (server: FastifyInstance, pages: AccountPages): void => {
  const { accounts, publicUrl } = pages
  const errorHandler = browserErrors(explain)
  const cookie = () => passwordLinkCookie(publicUrl())
  const findToken = async ({ headers }: FastifyRequest): Promise<Secret> => {
    const value = cookie().read(headers.cookie)
    const token = value === undefined ? undefined : new Secret(value)
    if (token === undefined || !(await accounts.isPasswordLink(token))) throw new Problem('link_invalid')
    return token
  }
  server.get<{ Querystring: { token?: unknown } }>(
    paths.reset,
    { ...unlimited, exposeHeadRoute: false, errorHandler },
    async (request, reply) => {
      const { token } = request.query
      if (token === undefined)
        return sendHtmlPage(reply, form(pageLanguageOf(request), await findToken(request)))
      const link = typeof token === 'string' ? new Secret(token) : undefined
      if (link === undefined || !(await accounts.isPasswordLink(link))) throw new Problem('link_invalid')
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', cookie().set(link.reveal()))
        .redirect(`${publicUrl()}${paths.reset}`, 302)
    },
  )
  server.post(
    paths.reset,
    { config: limitOf(operations.resetPassword), errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const token = await findToken(request)
      const fields = readFields(request, ['password', 'proof'])
      // The cookie also comes with forms of sibling hosts, which know neither the proof nor our origin.
      if (!isFromOwnPages(request, publicUrl()) || fields.proof !== proofOf(token))
        throw new Problem('validation_failed', { details: ['The form was not sent from this page'] })
      const language = pageLanguageOf(request)
      const t = words[language]
      if (invalid({ password: fields.password }).size > 0)
        return sendHtmlPage(reply, { ...form(language, token, `${t.rule}.`), status: 400 })
      try {
        await accounts.resetPassword({ token, password: new Secret(fields.password), ip: request.ip })
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'password_rejected')) throw error
        return sendHtmlPage(reply, {
          ...form(language, token, t.rejected),
          status: errors.password_rejected.status,
        })
      }
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', cookie().clear())
        .redirect(`${paths.reset}/done`, 303)
    },
  )
  server.get(`${paths.reset}/done`, unlimited, async (request, reply) =>
    sendHtmlPage(reply, donePage(pageLanguageOf(request))),
  )
}

const proofOf = (token: Secret): string =>
  createHash('sha256').update(`reset-password\n${token.reveal()}`).digest('base64url')

const form = (language: PageLanguage, token: Secret, problem?: string): HtmlPage => {
  const t = words[language]
  return {
    title: titleOf(t.title, problem !== undefined, t.problem),
    language,
    main: markup`<h1>${t.title}</h1>
<p class="muted">${t.intro}</p>
<form method="post" action="${paths.reset}">
<input type="hidden" name="proof" value="${proofOf(token)}">
${formField({ name: 'password', label: t.label, type: 'password', autocomplete: 'new-password', limits: password, hint: t.rule, problem })}
<button>${t.button}</button>
</form>`,
  }
}

const donePage = (language: PageLanguage): HtmlPage => {
  const t = words[language]
  return {
    title: t.done,
    language,
    main: markup`<h1>${t.done}</h1>
<p>${t.doneText}</p>
<p><a class="button" href="${paths.signIn}">${t.signIn}</a></p>`,
  }
}
