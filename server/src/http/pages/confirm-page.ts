import { operations } from '@millseal/contract'
import { markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { sendHtmlPage } from '../html-page.ts'
import { browserErrors, type Explain } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { limitOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { mailForm } from './mail-pages.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

const words = {
  en: {
    confirmed: 'Your e-mail address is confirmed',
    confirmedText: 'You can sign in now.',
    signIn: 'Sign in',
    invalid: 'This link is no longer valid',
    invalidText:
      'It works for 24 hours. Enter your address to get a new one. If you wanted to change the address of your account, sign in and change it again.',
    taken: 'This address was not confirmed',
    takenText: 'Another account has this e-mail address now. Your account keeps its previous one.',
  },
  de: {
    confirmed: 'Ihre E-Mail-Adresse ist bestätigt',
    confirmedText: 'Sie können sich jetzt anmelden.',
    signIn: 'Anmelden',
    invalid: 'Dieser Link gilt nicht mehr',
    invalidText:
      'Er gilt 24 Stunden. Geben Sie Ihre Adresse ein, um einen neuen zu erhalten. Wenn Sie die Adresse Ihres Kontos ändern wollten, melden Sie sich an und ändern Sie sie noch einmal.',
    taken: 'Diese Adresse wurde nicht bestätigt',
    takenText: 'Ein anderes Konto hat jetzt diese E-Mail-Adresse. Ihr Konto behält die bisherige.',
  },
} satisfies Record<PageLanguage, unknown>

const explain: Explain = ({ code }, language) => {
  const t = words[language]
  if (code === 'user_exists') return { title: t.taken, text: t.takenText }
  if (code !== 'link_invalid') return undefined
  return { title: t.invalid, text: t.invalidText, action: mailForm('resend', language) }
}

/** The page of the link that confirms an address. Like the API, it confirms when it is opened. */
export const registerConfirmPage = (server: FastifyInstance, { accounts, publicUrl }: AccountPages): void => {
  server.get<{ Querystring: { token?: unknown } }>(
    paths.confirm,
    {
      config: limitOf(operations.confirmEmail),
      exposeHeadRoute: false,
      errorHandler: browserErrors(explain),
    },
    async ({ query: { token }, ip }, reply) => {
      if (typeof token !== 'string') throw new Problem('link_invalid')
      await accounts.confirmEmail({ token: new Secret(token), ip })
      return reply.header('cache-control', 'no-store').redirect(`${publicUrl()}${paths.welcome}`, 302)
    },
  )
  server.get(paths.welcome, unlimited, async (request, reply) => {
    const language = pageLanguageOf(request)
    const t = words[language]
    return sendHtmlPage(reply, {
      title: t.confirmed,
      language,
      main: markup`<h1>${t.confirmed}</h1>
<p>${t.confirmedText}</p>
<p><a class="button" href="${paths.signIn}">${t.signIn}</a></p>`,
    })
  })
}
