import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { silentLog } from '../../../../test/silent-log.ts'
import { lacksRabbitMq, startRabbitMq } from '../../../../test/rabbitmq.ts'
import { Secret } from '../../../lib/secret.ts'
import {
  type BrokerUnderTest,
  describeBroker,
  type TestAuthenticator,
} from '../../../ports/broker/broker.suite.ts'
import { createAuthBackend, type Question } from './auth-backend.ts'
import { createRabbitMqBroker } from './rabbitmq-broker.ts'
import { generousDeadline } from '../../../../test/eventually.ts'

const secret = randomBytes(32).toString('hex')

/** Answers the questions of RabbitMQ with the grants of a test. */
const answerQuestions = async (
  authenticator: TestAuthenticator,
): Promise<{ server: Server; url: string }> => {
  const answer = createAuthBackend(authenticator, async () => authenticator.vhost)
  const expected = `Basic ${Buffer.from(`rabbitmq:${secret}`).toString('base64')}`
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    const question = (request.url ?? '').split('/').at(-1) as Question
    response.statusCode = request.headers.authorization === expected ? 200 : 401
    response.end(response.statusCode === 200 ? await answer(question, form) : '')
  }
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

const open = async (authenticator: TestAuthenticator): Promise<BrokerUnderTest> => {
  await using opened = new AsyncDisposableStack()
  const { server, url } = await answerQuestions(authenticator)
  opened.defer(() => void server.close())
  const rabbit = opened.use(await startRabbitMq({ vhost: authenticator.vhost, askUrl: url, secret }))
  const broker = opened.use(createRabbitMqBroker({ url: new Secret(rabbit.amqpUrl), log: silentLog }))
  await broker.check(generousDeadline())
  const stack = opened.move()
  return {
    publisher: broker,
    vhost: authenticator.vhost,
    url: () => rabbit.mqttUrl,
    async restart() {
      await rabbit.storeSubscriptions()
      await rabbit.restart()
      await broker.check(generousDeadline())
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describeBroker('RabbitMQ', open, { skip: await lacksRabbitMq() })
