import type { FastifyInstance } from 'fastify'
import { isSameText } from '../lib/is-same-text.ts'
import { Problem } from '../lib/problem.ts'

type Options<Question extends string> = {
  readonly questions: readonly Question[]
  /** The password of the broker. */
  readonly secret: string
  readonly answer: (question: Question, form: Readonly<Record<string, string>>) => Promise<string>
}

const user = 'rabbitmq'

/** An external broker sends its authorization requests here, with Basic authentication. */
export const registerBrokerQuestions = <Question extends string>(
  server: FastifyInstance,
  { questions, secret, answer }: Options<Question>,
): void => {
  const expected = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  for (const question of questions) {
    server.post(`/broker/auth/${question}`, { config: { unlimited: true } }, async (request, reply) => {
      if (!isSameText(request.headers.authorization ?? '', expected)) throw new Problem('unauthenticated')
      return reply.type('text/plain; charset=utf-8').send(await answer(question, textsOf(request.body)))
    })
  }
}

const textsOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
