import { Aedes, type AedesOptions, type AuthenticateError, type Client } from 'aedes'
import type { Logger } from 'pino'
import { Secret } from '../../../lib/secret.ts'
import type { BrokerRefusal, Gatekeeper } from '../../../ports/broker/broker.ts'
import type { GuestBook } from './guest-book.ts'
import { createSessionPersistence, noEmitter } from './session-persistence.ts'
import { type Sessions, sessionKey } from './sessions.ts'

type Dependencies = {
  readonly gatekeeper: Gatekeeper
  readonly book: GuestBook
  readonly sessions: Sessions
  readonly log: Pick<Logger, 'debug' | 'error'>
  /** The client may be served. */
  readonly onReady: (client: Client) => void
  readonly onError: (error: unknown) => void
}

const connectTimeoutMs = 5_000
const drainTimeoutMs = 30_000
const maxClientIdLength = 128
const maxTopicLevels = 8

/** MQTT 3.1.1 §3.2.2.3 */
const unavailable = 3
const returnCodes: Readonly<Record<BrokerRefusal, number>> = { client_id: 2, credentials: 4 }

/** aedes speaks MQTT; who comes in, what they may hear and what is kept for them is decided here. */
export const openProtocol = async (deps: Dependencies): Promise<Aedes> => {
  const { book, sessions, log } = deps
  const clientIds = new WeakMap<Client, string>()
  const persistence = createSessionPersistence(sessions, async (key, filters) => {
    const session = sessions.find(key)
    if (session !== undefined) await book.unsubscribe(session, filters)
  })
  const aedes = await Aedes.createBroker({
    mq: noEmitter,
    persistence,
    connectTimeout: connectTimeoutMs,
    drainTimeout: drainTimeoutMs,
    maxClientsIdLength: maxClientIdLength,
    maxTopicLevels,
    preConnect(client, packet, done) {
      clientIds.set(client, packet.clientId)
      delete packet.will
      done(null, true)
    },
    authenticate(client, username, password, done) {
      enter(deps, { client, username, password, clientId: clientIds.get(client) ?? '' }).then(
        () => done(null, true),
        (error: AuthenticateError) => {
          log.debug({ reason: error.message }, 'an MQTT client was refused')
          done(error, false)
        },
      )
    },
    authorizeSubscribe(client, subscription, done) {
      const presence = book.find(client)
      if (presence === undefined) return done(null, null)
      const { topic } = subscription
      book
        .subscribe(presence, topic, subscription.qos === 0 ? 0 : 1)
        .then((granted) => done(null, granted ? subscription : null), done)
    },
    authorizePublish: (_client, _packet, done) => done(new Error('Clients only subscribe')),
  } satisfies AedesOptions)
  aedes.on('clientReady', deps.onReady)
  aedes.on('unsubscribe', (filters, client) => {
    const presence = book.find(client)
    if (presence !== undefined) book.unsubscribe(presence.session, filters).catch(deps.onError)
  })
  ;(aedes as NodeJS.EventEmitter).on('error', deps.onError)
  return aedes
}

/** MQTT 3.1.1 §3.9.3: the answer names the quality that is granted, and aedes takes it from the packet as it came. */
export const grantAtMostQosOne = (client: Client): void => {
  const { _parser: parser } = client as unknown as { _parser: NodeJS.EventEmitter }
  parser.prependListener('packet', (packet: { cmd: string; subscriptions?: { qos: number }[] }) => {
    for (const subscription of packet.subscriptions ?? []) subscription.qos = Math.min(subscription.qos, 1)
  })
}

type Knock = {
  readonly client: Client
  readonly username: string | undefined
  readonly password: Buffer | undefined
  readonly clientId: string
}

const enter = async (deps: Dependencies, { client, username, password, clientId }: Knock): Promise<void> => {
  const { gatekeeper, book } = deps
  if (clientId === '' || clientId.length > maxClientIdLength) throw refused('client_id')
  if (username === undefined || password === undefined) throw refused('credentials')
  const changes = book.changes
  const credentials = { username, password: new Secret(password.toString('utf8')), clientId }
  try {
    let guest = await gatekeeper.admit(credentials)
    if (typeof guest === 'string') throw refused(guest)
    if (book.changes !== changes) guest = (await guest.again()) ?? 'credentials'
    if (typeof guest === 'string') throw refused(guest)
    if (client.closed) throw new Error('The client left while it was looked up')
    client.id = sessionKey(guest.owner, clientId)
    const presence = await book.enter(client, guest, clientId)
    client.conn.once('close', () => {
      book.leave(presence).catch(deps.onError)
    })
    if (client.conn.destroyed) await book.leave(presence)
  } catch (error) {
    throw isRefusal(error) ? error : refusal('The broker cannot tell right now', unavailable, error)
  }
}

const refused = (reason: BrokerRefusal): AuthenticateError =>
  refusal(reason === 'client_id' ? 'The client id is not theirs' : 'Not our token', returnCodes[reason])

const refusal = (message: string, returnCode: number, cause?: unknown): AuthenticateError =>
  Object.assign(new Error(message, { cause }), { returnCode })

const isRefusal = (error: unknown): error is AuthenticateError =>
  error instanceof Error && 'returnCode' in error
