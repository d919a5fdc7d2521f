import { operations } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { browserErrors, type Explain } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { limitOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { mailForm } from './mail-pages.ts'
import { mailedLink } from './mailed-link.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

const words = {
  en: {
    title: 'End the lock of your account',
    intro:
      'Somebody entered wrong passwords for your account until sign-ins were refused for an hour. If it was you, end the lock and try again.',
    stranger:
      'If it was not you, you need not do anything: your password was not guessed, and the lock ends by itself.',
    button: 'End the lock',
    done: 'The lock has ended',
    doneText: 'You can sign in now. If you do not know your password any more, set a new one.',
    signIn: 'Sign in',
    forgot: 'Forgot your password?',
    invalid: 'This link is no longer valid',
    invalidText:
      'It works once, within an hour, and in the browser that opened it from the mail. Locks end by themselves after an hour. A new password ends a lock at once: enter the address of your account.',
  },
  de: {
    title: 'Die Sperre Ihres Kontos aufheben',
    intro:
      'Jemand hat für Ihr Konto falsche Passwörter eingegeben, bis Anmeldungen für eine Stunde abgelehnt wurden. Wenn Sie das waren, heben Sie die Sperre auf und versuchen Sie es noch einmal.',
    stranger:
      'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort wurde nicht erraten, und die Sperre endet von selbst.',
    button: 'Sperre aufheben',
    done: 'Die Sperre ist aufgehoben',
    doneText:
      'Sie können sich jetzt anmelden. Wenn Sie Ihr Passwort nicht mehr wissen, legen Sie ein neues fest.',
    signIn: 'Anmelden',
    forgot: 'Passwort vergessen?',
    invalid: 'Dieser Link gilt nicht mehr',
    invalidText:
      'Er funktioniert einmal, eine Stunde lang und in dem Browser, der ihn aus der E-Mail geöffnet hat. Sperren enden nach einer Stunde von selbst. Ein neues Passwort beendet eine Sperre sofort: Geben Sie die Adresse Ihres Kontos ein.',
  },
} satisfies Record<PageLanguage, unknown>

const explain: Explain = ({ code }, language) => {
  const { invalid: title, invalidText: text } = words[language]
  return code === 'link_invalid' ? { title, text, action: mailForm('forgot', language) } : undefined
}

/** The page behind a mailed link that ends a lock. It asks first, because mail scanners open links before people do. */
export const registerUnlockPage = (server: FastifyInstance, { accounts, publicUrl }: AccountPages): void => {
  const link = mailedLink('unlock', paths.unlock, publicUrl)
  const errorHandler = browserErrors(explain)
  const assertValid = async (token: Secret): Promise<Secret> => {
    if (!(await accounts.isUnlockLink(token))) throw new Problem('link_invalid')
    return token
  }
  server.get(
    paths.unlock,
    { ...unlimited, exposeHeadRoute: false, errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const opened = link.openedToken(request)
      if (opened !== undefined) return link.keep(reply, await assertValid(opened))
      const token = await assertValid(link.keptToken(request))
      return sendHtmlPage(reply, form(pageLanguageOf(request), link.proofField(token)))
    },
  )
  server.post(
    paths.unlock,
    { config: limitOf(operations.unlockSignInByLink), errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const token = await assertValid(link.keptToken(request))
      link.assertOwnForm(request, token)
      await accounts.unlockSignIn({ token, ip: request.ip })
      return link.finish(reply)
    },
  )
  server.get(`${paths.unlock}/done`, unlimited, async (request, reply) =>
    sendHtmlPage(reply, donePage(pageLanguageOf(request))),
  )
}

const form = (language: PageLanguage, proof: Markup): HtmlPage => {
  const t = words[language]
  return {
    title: t.title,
    language,
    main: markup`<h1>${t.title}</h1>
<p>${t.intro}</p>
<p class="muted">${t.stranger}</p>
<form method="post" action="${paths.unlock}">
${proof}
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
<p><a class="button" href="${paths.signIn}">${t.signIn}</a></p>
<p class="muted"><a href="${paths.forgot}">${t.forgot}</a></p>`,
  }
}
