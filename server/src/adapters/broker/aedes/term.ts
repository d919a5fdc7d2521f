import type { Duplex } from 'node:stream'
import type { Gatekeeper } from '../../../ports/broker/broker.ts'
import { type ActiveBroker, openActiveBroker } from './active-broker.ts'
import type { AedesBrokerOptions } from './aedes-broker.ts'
import { becomeLeader, holders } from './leadership.ts'
import { type OpenDoors, openDoors } from './listeners.ts'

/** The time for which this process is the broker. */
export type Term = AsyncDisposable & { readonly active: ActiveBroker; readonly doors: OpenDoors }

type Beginning = {
  readonly gatekeeper: Gatekeeper
  readonly onSocket: (socket: Duplex, address: string | undefined) => void
  /** At most once. */
  readonly onLost: (error: unknown) => void
}

/** Nothing where another process is the broker. */
export const beginTerm = async (
  { database, clock, log, doors }: Pick<AedesBrokerOptions, 'database' | 'clock' | 'log' | 'doors'>,
  { gatekeeper, onSocket, onLost }: Beginning,
): Promise<Term | undefined> => {
  const serving: { broker?: ActiveBroker } = {}
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
      if (channel === holders) serving.broker?.recheck(payload)
      else serving.broker?.wake()
    },
    onLost: lose,
  })
  if (leadership === undefined) return undefined
  // The lock goes last, so that the next broker finds everything written.
  opened.defer(leadership.end)
  const active = opened.use(await openActiveBroker({ leadership, gatekeeper, clock, log, onFailed: lose }))
  serving.broker = active
  const open = opened.use(await openDoors(doors, onSocket))
  active.wake()
  const stack = opened.move()
  return { active, doors: open, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
