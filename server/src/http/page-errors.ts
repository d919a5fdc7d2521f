import { type ErrorCode, errors } from '@millseal/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../lib/problem.ts'
import { toProblem } from './error-response.ts'
import type { Html } from './html.ts'
import { sendHtmlPage } from './html-page.ts'

type Page = {
  readonly title: string
  readonly main: (reason: string) => Html
  /** Where the catalogue's sentence, written for programs, would not help a person. */
  readonly words?: Partial<Record<ErrorCode, string>>
}

/** What a person reads where a program would read the seven fields. */
export const pageErrors =
  ({ title, main, words = {} }: Page) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error)
    const context = { err: problem.cause ?? problem, requestId: request.id }
    if (problem.code === 'internal') request.log.error(context, 'unexpected error')
    if (problem.code === 'unavailable') request.log.warn(context, 'dependency unavailable')
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
