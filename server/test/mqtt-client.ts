import { setTimeout as delay } from 'node:timers/promises'
import mqtt, { type IClientOptions, type IConnackPacket, type MqttClient } from 'mqtt'
import { eventually } from './eventually.ts'

export type Received = { readonly topic: string; readonly payload: string; readonly qos: number }

export interface TestClient extends AsyncDisposable {
  readonly mqtt: MqttClient
  readonly received: Received[]
  readonly connack: IConnackPacket
  /** The quality granted to each filter, 128 for a refusal. */
  subscribe(...filters: readonly string[]): Promise<number[]>
  /** Resolves with all messages as soon as there are this many, within a deadline. */
  receive(atLeast: number): Promise<Received[]>
  /** Resolves when the server has closed the connection, within a deadline. */
  closed(): Promise<void>
}

export type ConnectOptions = Pick<
  IClientOptions,
  'clientId' | 'username' | 'password' | 'clean' | 'will' | 'wsOptions' | 'keepalive'
> & {
  readonly url: string
  readonly qos?: 0 | 1 | 2
  readonly protocolVersion?: 3 | 4 | 5
  /** Does not acknowledge received messages. */
  readonly withholdsAcknowledgements?: boolean
  /** Called with each message, also with those of a kept session that come first. */
  readonly onReceived?: (message: Received) => void
  /** Called with everything that the server sends, as it comes. */
  readonly onBytes?: (bytes: Buffer) => void
}

const deadlineMs = 300_000

/** mqtt.js without automatic reconnection. Rejects if the connection is refused. */
export const connectMqtt = async ({
  url,
  qos = 1,
  withholdsAcknowledgements = false,
  onReceived,
  onBytes,
  ...options
}: ConnectOptions): Promise<TestClient> => {
  const received: Received[] = []
  const client = mqtt.connect(url, {
    clean: false,
    protocolVersion: 4,
    reconnectPeriod: 0,
    connectTimeout: deadlineMs,
    rejectUnauthorized: false,
    ...options,
  })
  if (onBytes !== undefined) client.stream.on('data', onBytes)
  if (withholdsAcknowledgements) client.handleMessage = (): void => {}
  client.on('message', (topic, payload, packet) => {
    const message = { topic, payload: payload.toString('utf8'), qos: packet.qos }
    received.push(message)
    onReceived?.(message)
  })
  const connack = await new Promise<IConnackPacket>((resolve, reject) => {
    client.once('connect', resolve)
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  }).catch(async (error: unknown) => {
    await client.endAsync(true)
    throw error
  })
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => resolve())
  })
  return {
    mqtt: client,
    received,
    connack,
    async subscribe(...filters) {
      const answer = new Promise<number[]>((resolve, reject) => {
        client.subscribe([...filters], { qos }, (error, _granted, packet) => {
          const granted = (packet as { granted?: number[] } | undefined)?.granted
          if (granted === undefined) reject(error ?? new Error('The subscription was not answered'))
          else resolve(granted)
        })
      })
      const refused = ended.then((): never => {
        throw new Error('The connection was closed instead of an answer')
      })
      return within(Promise.race([answer, refused]), 'SUBACK')
    },
    async receive(atLeast) {
      await eventually(() => received.length >= atLeast, {
        what: () => `${received.length} of ${atLeast} messages, the last ${received.at(-1)?.payload}`,
        everyMs: 5,
      })
      return received
    },
    async closed() {
      if (client.connected) await within(ended, 'the end of the connection')
    },
    async [Symbol.asyncDispose]() {
      await client.endAsync(true)
    },
  }
}

/** The refusal of the server: the code of its CONNACK, or `closed` without one. */
export const refusalOf = async (options: ConnectOptions): Promise<number | 'closed' | 'let in'> => {
  try {
    await using _client = await connectMqtt(options)
    return 'let in'
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 'closed'
  }
}

const within = async <T>(promise: Promise<T>, what: string): Promise<T> => {
  const patience = new AbortController()
  try {
    return await Promise.race([
      promise,
      delay(deadlineMs, undefined, { signal: patience.signal }).then(() => {
        throw new Error(`${what} did not come within ${deadlineMs} ms`)
      }),
    ])
  } finally {
    patience.abort()
  }
}
