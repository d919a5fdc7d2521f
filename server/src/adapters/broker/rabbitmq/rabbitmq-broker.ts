import type { Logger } from 'pino'
import { Connection } from 'rabbitmq-client'
import type { Secret } from '../../../lib/secret.ts'
import { type Broker, BrokerUnavailable } from '../../../ports/broker/broker.ts'

const exchange = 'amq.topic'
const connectTimeoutMs = 5_000
/** Nothing is sent until the next attempt, and an attempt costs nothing. */
const retryMs = { first: 500, last: 1_000 }

/**
 * RabbitMQ serves the clients and asks us to authenticate them (`auth-backend.ts`). We only publish. A message is confirmed
 * once it is on disk in every queue that it belongs to.
 */
export const createRabbitMqBroker = ({
  url,
  log,
}: {
  readonly url: Secret
  readonly log: Logger
}): Broker => {
  const connection = new Connection({
    url: url.reveal(),
    connectionName: 'millseal',
    connectionTimeout: connectTimeoutMs,
    retryLow: retryMs.first,
    retryHigh: retryMs.last,
  })
  let reason = 'RabbitMQ is not connected'
  connection.on('error', (error: Error) => {
    reason = error.message
    log.warn({ reason }, 'the connection to RabbitMQ broke')
  })
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 })
  return {
    async publish(messages, signal) {
      const wasAway = !connection.ready
      const sent = messages.map(({ topic, payload, messageId }) => {
        const routingKey = topic.replaceAll('/', '.')
        const envelope = { exchange, routingKey, durable: true, messageId, contentType: 'application/json' }
        return publisher.send(envelope, Buffer.from(payload))
      })
      await orAborted(Promise.all(sent), signal).catch((cause: unknown) => {
        throw wasAway && !connection.ready ? new BrokerUnavailable(reason, { cause }) : cause
      })
    },
    /** RabbitMQ authenticates the clients itself, over HTTP. */
    async start() {},
    async check(signal) {
      if (connection.ready) return
      await orAborted(connection.onConnect(connectTimeoutMs, true), signal).catch((cause: unknown) => {
        throw new Error(reason, { cause })
      })
    },
    async [Symbol.asyncDispose]() {
      // The publisher first: otherwise the connection does not close. Without a connection it would wait for one.
      if (connection.ready) await publisher.close()
      await connection.close()
    },
  }
}

const orAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  signal?.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
