import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Broker, Gatekeeper } from '../../../ports/broker/broker.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type ActiveBroker, openActiveBroker } from './active-broker.ts'
import { type ConnectionLimits, createTurnstile } from './connection-limits.ts'
import { createHandover } from './handover.ts'
import { becomeLeader, holders, type Leadership } from './leadership.ts'
import { type Doors, type OpenDoors, openDoors } from './listeners.ts'
import { serveWebSocket } from './web-socket.ts'

export type AedesBrokerOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  readonly doors: Doors
  readonly limits: ConnectionLimits
  /** A reverse proxy is in front of WebSockets: then their address is that of the proxy, and says nothing. */
  readonly behindProxy?: boolean
}

export type AedesBroker = Broker & {
  /** Serves MQTT over WebSocket on this server, while this process is the broker. */
  mount(server: Pick<Server, 'on'>): void
  /** Where it listens; nothing where it does not, or another process is the broker. */
  ports(): Pick<OpenDoors, 'plainPort' | 'tlsPort'> | undefined
}

type Term = { readonly leadership: Leadership; readonly active: ActiveBroker; readonly doors: OpenDoors }

const retryMs = 1_000

/**
 * aedes within this process, its sessions and queues in the database. Of several processes on one database one is the
 * broker; the others publish through it, and wait to take its place.
 */
export const createAedesBroker = (options: AedesBrokerOptions): AedesBroker => {
  const { database, log } = options
  const handover = createHandover(options)
  const enter = createTurnstile(options.limits)
  let term: Term | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false
  let isStandby = false
  let changing: Promise<void> = Promise.resolve()

  const receive = (stream: Duplex, address: string | undefined): boolean => {
    if (term === undefined || !enter(stream, address)) return false
    term.active.handle(stream)
    return true
  }

  const resign = async (error: unknown): Promise<void> => {
    const ended = term
    if (ended === undefined) return
    term = undefined
    log.warn({ reason: messageOf(error) }, 'this process is no longer the broker')
    await endTerm(ended)
  }

  /** One change at a time: a term begins only after the one before has ended. */
  const change = (work: () => Promise<void>): Promise<void> => {
    changing = changing.catch(() => {}).then(work)
    return changing
  }

  const campaign = (gatekeeper: Gatekeeper): Promise<void> =>
    change(async () => {
      if (stopped || term !== undefined) return
      const begun = await beginTerm(options, {
        gatekeeper,
        onSocket: (socket, address) => {
          if (!receive(socket, address)) socket.destroy()
        },
        onLost: (error) => {
          isStandby = false
          change(() => resign(error)).catch(() => {})
          campaignLater(gatekeeper)
        },
      })
      if (begun === undefined && !isStandby) log.info({}, 'another process is the broker; this one stands by')
      isStandby = begun === undefined
      term = begun
      if (begun === undefined) campaignLater(gatekeeper)
      else begun.active.wake()
    })

  const campaignLater = (gatekeeper: Gatekeeper): void => {
    clearTimeout(retry)
    if (stopped) return
    retry = setTimeout(() => {
      campaign(gatekeeper).catch((error: unknown) => {
        isStandby = false
        log.error({ reason: messageOf(error) }, 'this process could not become the broker')
        campaignLater(gatekeeper)
      })
    }, retryMs)
  }

  return {
    publish: handover.publish,
    start: campaign,
    mount(server) {
      serveWebSocket(server, (stream, request) => receive(stream, addressOf(options, request)))
    },
    ports: () => term?.doors,
    async check(signal) {
      await database.check(signal)
      if (term === undefined && !isStandby) throw new Error('No process is known to be the broker')
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(retry)
      await change(async () => {
        const ended = term
        term = undefined
        if (ended !== undefined) await endTerm(ended)
      })
    },
  }
}

type Beginning = {
  readonly gatekeeper: Gatekeeper
  readonly onSocket: (socket: Duplex, address: string | undefined) => void
  /** At most once. */
  readonly onLost: (error: unknown) => void
}

const beginTerm = async (
  options: AedesBrokerOptions,
  { gatekeeper, onSocket, onLost }: Beginning,
): Promise<Term | undefined> => {
  const { database, clock, log, doors } = options
  let active: ActiveBroker | undefined
  let lost = false
  const lose = (error: unknown): void => {
    if (lost) return
    lost = true
    onLost(error)
  }
  await using opened = new AsyncDisposableStack()
  const leadership = await becomeLeader({
    connection: database.connection,
    onNews: (channel, payload) => {
      if (channel === holders) active?.recheck(payload)
      else active?.wake()
    },
    onLost: lose,
  })
  if (leadership === undefined) return undefined
  opened.defer(leadership.end)
  active = opened.use(await openActiveBroker({ leadership, gatekeeper, clock, log, onFailed: lose }))
  const open = await openDoors(doors, onSocket)
  opened.move()
  return { leadership, active, doors: open }
}

/** The lock last, so that the next broker finds everything written. */
const endTerm = async ({ leadership, active, doors }: Term): Promise<void> => {
  await active[Symbol.asyncDispose]()
  await doors[Symbol.asyncDispose]()
  await leadership.end()
}

const addressOf = ({ behindProxy = false }: AedesBrokerOptions, { socket }: IncomingMessage) =>
  behindProxy ? undefined : socket.remoteAddress

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
