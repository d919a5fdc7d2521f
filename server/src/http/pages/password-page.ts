import { errors, limits, operations } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { browserErrors, type Explain } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { formField, invalidFields, limitOf, readFields, titleOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { mailForm } from './mail-pages.ts'
import { mailedLink } from './mailed-link.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

const { password } = limits

const words = {
  en: {
    title: 'Set a new password',
    problem: 'Problem',
    intro: 'This signs you out on all devices.',
    label: 'New password',
    rule: `${password.minLength} to ${password.maxLength} characters`,
    rejected:
      'Choose a password that is hard to guess: no common one, and not just your user name, e-mail address or company. It needs at least 4 different characters.',
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
      'Wählen Sie ein Passwort, das schwer zu erraten ist: kein häufiges und nicht nur Ihr Benutzername, Ihre E-Mail-Adresse oder Ihre Firma. Es braucht mindestens 4 verschiedene Zeichen.',
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

/** The page for a new password, behind a mailed link. */
export const registerPasswordPage = (server: FastifyInstance, pages: AccountPages): void => {
  const { accounts, publicUrl } = pages
  const link = mailedLink('password', paths.reset, publicUrl)
  const errorHandler = browserErrors(explain)
  const assertValid = async (token: Secret): Promise<Secret> => {
    if (!(await accounts.isPasswordLink(token))) throw new Problem('link_invalid')
    return token
  }
  server.get(
    paths.reset,
    { ...unlimited, exposeHeadRoute: false, errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const opened = link.openedToken(request)
      if (opened !== undefined) return link.keep(reply, await assertValid(opened))
      const token = await assertValid(link.keptToken(request))
      return sendHtmlPage(reply, form(pageLanguageOf(request), link.proofField(token)))
    },
  )
  server.post(
    paths.reset,
    { config: limitOf(operations.resetPassword), errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const token = await assertValid(link.keptToken(request))
      link.assertOwnForm(request, token)
      const { password: chosen } = readFields(request, ['password'])
      const language = pageLanguageOf(request)
      const t = words[language]
      const again = (status: number, problem: string) =>
        sendHtmlPage(reply, { ...form(language, link.proofField(token), problem), status })
      if (invalid({ password: chosen }).size > 0) return again(400, `${t.rule}.`)
      try {
        await accounts.resetPassword({ token, password: new Secret(chosen), ip: request.ip })
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'password_rejected')) throw error
        return again(errors.password_rejected.status, t.rejected)
      }
      return link.finish(reply)
    },
  )
  server.get(`${paths.reset}/done`, unlimited, async (request, reply) =>
    sendHtmlPage(reply, donePage(pageLanguageOf(request))),
  )
}

const form = (language: PageLanguage, proof: Markup, problem?: string): HtmlPage => {
  const t = words[language]
  return {
    title: titleOf(t.title, problem !== undefined, t.problem),
    language,
    main: markup`<h1>${t.title}</h1>
<p class="muted">${t.intro}</p>
<form method="post" action="${paths.reset}">
${proof}
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
