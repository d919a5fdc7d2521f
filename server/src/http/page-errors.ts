import { type ErrorCode, errors } from '@millseal/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../lib/problem.ts'
import { logProblem, toProblem } from './error-response.ts'
import type { Markup } from '@millseal/families'
import { sendHtmlPage } from './html-page.ts'

type Page = {
  readonly title: string
  readonly main: (reason: string) => Markup
  /** Replaces sentences of the catalogue that would not help a person. */
  readonly words?: Partial<Record<ErrorCode, string>>
}

/** Shows errors to people as a page. */
export const pageErrors =
  ({ title, main, words = {} }: Page) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error)
    logProblem(request.log, problem, request.id)
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
    sendHtmlPage(reply, {
      title,
      main: main(words[problem.code] ?? sentence(problem)),
      status: errors[problem.code].status,
    })
  }

const sentence = ({ code, retryAfterSeconds }: Problem): string =>
  code === 'rate_limited'
    ? `Too many attempts. Please try again in ${retryAfterSeconds ?? 60} seconds.`
    : `${errors[code].message}.`
