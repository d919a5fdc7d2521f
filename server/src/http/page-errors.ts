import { errors } from '@millseal/contract'
import { germanErrors } from '@millseal/contract/errors-de'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Markup, markup } from '@millseal/families'
import type { Wording } from '../lib/mail-languages.ts'
import type { Problem } from '../lib/problem.ts'
import { closeIfUnread, logProblem, toProblem } from './error-response.ts'
import { sendHtmlPage } from './html-page.ts'
import { type PageLanguage, pageLanguageOf } from './pages/page-language.ts'
import { wantsPage } from './wants-page.ts'

/** What a person reads about an error: what happened, what to do, and the link or form for that. */
export type Explanation = {
  readonly title: string
  readonly text: string
  readonly action?: Markup
}

/** Explains the errors that mean something special on a page. The others are explained in general. */
export type Explain = (problem: Problem, language: PageLanguage) => Explanation | undefined

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Shows errors to people as a page. */
export const pageErrors =
  (explain: Explain): ErrorHandler =>
  (error, request, reply) =>
    sendErrorPage(request, reply, toProblem(error), explain)

/** For pages that clients may call too: those get the error in JSON. */
export const browserErrors =
  (explain: Explain): ErrorHandler =>
  (error, request, reply) => {
    if (wantsPage(request)) sendErrorPage(request, reply, toProblem(error), explain)
    else reply.send(error)
  }

export const sendErrorPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  explain: Explain = () => undefined,
): void => {
  logProblem(request.log, problem, request)
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  closeIfUnread(request, reply, problem)
  const language = pageLanguageOf(request)
  const { title, text, action } = explain(problem, language) ?? explainInGeneral(problem, language)
  sendHtmlPage(reply.header('x-error', problem.code), {
    title,
    language,
    status: errors[problem.code].status,
    main: markup`<h1>${title}</h1>
<p>${text}</p>
${action ?? homeLink(language)}
<p class="muted small">${requestLabel[language]} <span class="mono">${request.id}</span></p>`,
  })
}

const requestLabel: Wording = { en: 'Request', de: 'Anfrage' }
const home: Wording = { en: 'Go to the home page', de: 'Zur Startseite' }

const homeLink = (language: PageLanguage): Markup =>
  markup`<p><a class="button" href="/">${home[language]}</a></p>`

/** The sentence of the catalogue. */
export const sentenceOf = ({ code, retryAfterSeconds }: Problem, language: PageLanguage): string => {
  if (code !== 'rate_limited') return `${language === 'de' ? germanErrors[code] : errors[code].message}.`
  const seconds = retryAfterSeconds ?? 60
  return {
    en: `Too many attempts. Please try again in ${seconds} seconds.`,
    de: `Zu viele Versuche. Bitte versuchen Sie es in ${seconds} Sekunden noch einmal.`,
  }[language]
}

const known: Partial<
  Record<Problem['code'], Readonly<Record<PageLanguage, readonly [title: string, text: string]>>>
> = {
  route_unknown: {
    en: ['There is no such page', 'Check the address, or start at the home page.'],
    de: ['Diese Seite gibt es nicht', 'Prüfen Sie die Adresse oder beginnen Sie auf der Startseite.'],
  },
  not_found: {
    en: ['There is no such page', 'What this address showed no longer exists, or never did.'],
    de: ['Diese Seite gibt es nicht', 'Was diese Adresse zeigte, gibt es nicht mehr oder gab es nie.'],
  },
  internal: {
    en: [
      'Something went wrong on the server',
      'It is not your fault. Try again in a moment. If it happens again, send the operator of this service the number below.',
    ],
    de: [
      'Auf dem Server ist etwas schiefgegangen',
      'Es liegt nicht an Ihnen. Versuchen Sie es gleich noch einmal. Wenn es wieder geschieht, nennen Sie dem Betreiber dieses Dienstes die Nummer unten.',
    ],
  },
  unavailable: {
    en: ['This does not work right now', 'A part of this service does not respond. Try again in a moment.'],
    de: [
      'Das geht gerade nicht',
      'Ein Teil dieses Dienstes antwortet nicht. Versuchen Sie es gleich noch einmal.',
    ],
  },
  link_invalid: {
    en: [
      'This link is no longer valid',
      'It has expired, was used before, or is not complete. Copy it completely from the mail.',
    ],
    de: [
      'Dieser Link gilt nicht mehr',
      'Er ist abgelaufen, wurde schon verwendet oder ist unvollständig. Kopieren Sie ihn vollständig aus der E-Mail.',
    ],
  },
}

const failed: Wording = { en: 'This did not work', de: 'Das hat nicht funktioniert' }

const explainInGeneral = (problem: Problem, language: PageLanguage): Explanation => {
  const [title, text] = known[problem.code]?.[language] ?? [failed[language], sentenceOf(problem, language)]
  return { title, text }
}
