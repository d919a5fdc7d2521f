import type { Duplex } from 'node:stream'
import type { BrokerAuthenticator } from '../../../ports/broker/broker.ts'
import { type ActiveBroker, openActiveBroker } from './active-broker.ts'
import type { AedesBrokerOptions } from './broker-options.ts'
import { acquireLease, holders } from './lease.ts'
import { type Listeners, openListeners } from './listeners.ts'
import { type PassedOn, receivePassedOn } from './relay.ts'

/** The time during which this process is the broker. */
export type Term = AsyncDisposable & { readonly active: ActiveBroker; readonly listeners: Listeners }

type Handlers = {
  readonly authenticator: BrokerAuthenticator
  readonly onSocket: (socket: Duplex, address: string | undefined) => void
  readonly onPassedOn: (passedOn: PassedOn) => void
  /** Called at most once. */
  readonly onLost: (error: unknown) => void
}

/** Undefined if another process is the broker. */
export const beginTerm = async (
  { database, clock, log, listen, relayPath }: AedesBrokerOptions,
  { authenticator, onSocket, onPassedOn, onLost }: Handlers,
): Promise<Term | undefined> => {
  const serving: { broker?: ActiveBroker } = {}
  let lost = false
  const lose = (error: unknown): void => {
    if (lost) return
    lost = true
    onLost(error)
  }
  await using opening = new AsyncDisposableStack()
  const lease = await acquireLease({
    connection: database.connection,
    onNotification: (channel, payload) => {
      if (channel === holders) serving.broker?.recheck(payload)
      else serving.broker?.wake()
    },
    onLost: lose,
  })
  if (lease === undefined) return undefined
  // The lock is released last, so that the next broker finds everything written.
  opening.defer(lease.release)
  const active = opening.use(
    await openActiveBroker({ query: lease.query, authenticator, clock, log, onFailed: lose }),
  )
  serving.broker = active
  const listeners = opening.use(await openListeners(listen, onSocket))
  if (relayPath !== undefined) opening.use(await receivePassedOn(relayPath, onPassedOn))
  active.wake()
  const opened = opening.move()
  return { active, listeners, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
