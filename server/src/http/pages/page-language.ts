import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type MailLanguage, preferredLanguage } from '../../lib/mail-languages.ts'
import { cookieOf } from '../cookies.ts'
import { wantsPage } from '../wants-page.ts'

/** Our pages have the languages of our mails. */
export type PageLanguage = MailLanguage

export const pageLanguages: Readonly<Record<PageLanguage, string>> = { en: 'English', de: 'Deutsch' }

const cookieName = 'millseal-language'
const cookieSeconds = 365 * 24 * 60 * 60

const isPageLanguage = (value: unknown): value is PageLanguage =>
  typeof value === 'string' && Object.hasOwn(pageLanguages, value)

/** The language that the person chose on one of our pages; otherwise the first one of the browser that we have. */
export const pageLanguageOf = ({ headers }: { readonly headers: IncomingHttpHeaders }): PageLanguage => {
  const chosen = cookieOf(headers.cookie, cookieName)
  return isPageLanguage(chosen) ? chosen : (preferredLanguage(headers['accept-language']) ?? 'en')
}

/** Every page has a link `?language=de`: the choice becomes a cookie, and the same page opens without the query. */
export const offerLanguages = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, reply, done) => {
    const [, path = '/', language] = /^([^?]*)\?language=(\w+)$/.exec(request.originalUrl) ?? []
    if (request.method !== 'GET' || !isPageLanguage(language) || !wantsPage(request)) return done()
    reply
      .header('cache-control', 'no-store')
      .header(
        'set-cookie',
        `${cookieName}=${language}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax`,
      )
      // Two slashes would lead to another host.
      .redirect(path.replace(/^[/\\]+/, '/'), 303)
  })
}
