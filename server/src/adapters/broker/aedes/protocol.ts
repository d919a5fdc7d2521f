import { Aedes, type AedesOptions, type AuthenticateError, type Client } from 'aedes'
import type { Logger } from 'pino'
import { Secret } from '../../../lib/secret.ts'
import type { BrokerAuthenticator, BrokerRefusal } from '../../../ports/broker/broker.ts'
import { drainTimeoutMs } from './client-writer.ts'
import type { ConnectedClients } from './connected-clients.ts'
import { createSessionPersistence, noEmitter } from './session-persistence.ts'
import { ownerOf, type Sessions, sessionKey } from './sessions.ts'

type Dependencies = {
  readonly authenticator: BrokerAuthenticator
  readonly clients: ConnectedClients
  readonly sessions: Sessions
  readonly log: Logger
  /** The client has received its CONNACK. */
  readonly onReady: (client: Client) => void
  readonly onError: (error: unknown) => void
}

const maxClientIdLength = 128
const maxTopicLevels = 8

/** MQTT 3.1.1 §3.2.2.3 */
const unavailable = 3
const returnCodes: Readonly<Record<BrokerRefusal, number>> = { client_id: 2, credentials: 4 }

/** aedes implements MQTT. Authentication, authorization and sessions are ours. */
export const openProtocol = async (deps: Dependencies): Promise<Aedes> => {
  const { clients, sessions, log } = deps
  const clientIds = new WeakMap<Client, string>()
  const persistence = createSessionPersistence(sessions, async (key, filters) => {
    const session = sessions.find(key)
    if (session !== undefined) await clients.unsubscribe(session, filters)
  })
  const aedes = await Aedes.createBroker({
    mq: noEmitter,
    persistence,
    // `endIfSilent` is patient; this timer is not.
    connectTimeout: 2 ** 31 - 1,
    drainTimeout: drainTimeoutMs,
    maxClientsIdLength: maxClientIdLength,
    maxTopicLevels,
    preConnect(client, packet, done) {
      clientIds.set(client, packet.clientId)
      delete packet.will
      done(null, true)
    },
    authenticate(client, username, password, done) {
      connect(deps, { client, username, password, clientId: clientIds.get(client) ?? '' }).then(
        () => done(null, true),
        (error: AuthenticateError) => {
          log.debug({ reason: error.message }, 'an MQTT client was refused')
          done(error, false)
        },
      )
    },
    authorizeSubscribe(client, subscription, done) {
      const connection = clients.find(client)
      if (connection === undefined) return done(null, null)
      const { topic } = subscription
      clients
        .subscribe(connection, topic, subscription.qos === 0 ? 0 : 1)
        .then((granted) => done(null, granted ? subscription : null), done)
    },
    authorizePublish: (_client, _packet, done) => done(new Error('Clients only subscribe')),
  } satisfies AedesOptions)
  aedes.on('clientReady', deps.onReady)
  aedes.on('unsubscribe', (filters, client) => {
    const connection = clients.find(client)
    if (connection !== undefined) clients.unsubscribe(connection.session, filters).catch(deps.onError)
  })
  ;(aedes as NodeJS.EventEmitter).on('error', deps.onError)
  return aedes
}

/** MQTT 3.1.1 §3.9.3: the SUBACK contains the granted quality, which aedes takes from the unchanged packet. */
export const grantAtMostQosOne = (client: Client): void => {
  const { _parser: parser } = client as unknown as { _parser: NodeJS.EventEmitter }
  parser.prependListener('packet', (packet: { cmd: string; subscriptions?: { qos: number }[] }) => {
    for (const subscription of packet.subscriptions ?? []) subscription.qos = Math.min(subscription.qos, 1)
  })
}

type ConnectRequest = {
  readonly client: Client
  readonly username: string | undefined
  readonly password: Buffer | undefined
  readonly clientId: string
}

const connect = async (
  deps: Dependencies,
  { client, username, password, clientId }: ConnectRequest,
): Promise<void> => {
  const { authenticator, clients } = deps
  if (clientId === '' || clientId.length > maxClientIdLength) throw refused('client_id')
  if (username === undefined || password === undefined) throw refused('credentials')
  const changes = clients.changes
  const credentials = { username, password: new Secret(password.toString('utf8')), clientId }
  try {
    const grant = await authenticator.authenticate(credentials)
    if (typeof grant === 'string') throw refused(grant)
    if (client.closed) throw new Error('The client disconnected during authentication')
    client.id = sessionKey(ownerOf(grant), clientId)
    const connection = await clients.connect(client, grant, clientId)
    client.conn.once('close', () => {
      clients.disconnect(connection).catch(deps.onError)
    })
    if (client.conn.destroyed) await clients.disconnect(connection)
    // From now on changes of its record concern it. One before may have been after its authentication.
    else if (clients.changes !== changes) await clients.recheckOne(connection)
  } catch (error) {
    throw isRefusal(error)
      ? error
      : refusal('The broker cannot authenticate clients at the moment', unavailable, error)
  }
}

const refused = (reason: BrokerRefusal): AuthenticateError =>
  refusal(
    reason === 'client_id' ? 'The client id belongs to another owner' : 'The credentials are invalid',
    returnCodes[reason],
  )

const refusal = (message: string, returnCode: number, cause?: unknown): AuthenticateError =>
  Object.assign(new Error(message, { cause }), { returnCode })

const isRefusal = (error: unknown): error is AuthenticateError =>
  error instanceof Error && 'returnCode' in error
