import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { eventually } from '../../../../test/eventually.ts'
import { type MovableClock, movableClock } from '../../../../test/movable-clock.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import type { BrokerUnderTest, TestAuthenticator } from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type AedesBroker, createAedesBroker } from './aedes-broker.ts'
import type { AedesBrokerOptions } from './broker-options.ts'
import { acquireLease } from './lease.ts'
import { SessionStore } from './session-store.ts'

export type AedesUnderTest = BrokerUnderTest & {
  readonly clock: MovableClock
  readonly broker: () => AedesBroker
}

/** Listens on a free port of this machine. After a restart it has the same database and another port. */
export const openAedes = async (
  database: Database,
  authenticator: TestAuthenticator,
  changes: Partial<AedesBrokerOptions> = {},
): Promise<AedesUnderTest> => {
  const clock = movableClock()
  const open = async (): Promise<AedesBroker> => {
    const broker = createAedesBroker({
      database,
      clock,
      log: silentLog,
      listen: { plain: { host: '127.0.0.1', port: 0 }, tls: undefined },
      limits: { total: 1_000, perAddress: 1_000 },
      ...changes,
    })
    await broker.start(authenticator)
    return broker
  }
  let broker = await open()
  return {
    clock,
    vhost: authenticator.vhost,
    publisher: { publish: (messages, signal) => broker.publish(messages, signal) },
    broker: () => broker,
    url() {
      const port = broker.ports()?.plainPort
      if (port === undefined) throw new Error('This process is not the broker')
      return `mqtt://127.0.0.1:${port}`
    },
    async restart() {
      await broker[Symbol.asyncDispose]()
      broker = await open()
    },
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  }
}

/** Waits until every message is in the queues it belongs to. */
export const allRouted = (database: Database): Promise<boolean> =>
  eventually(
    async () => {
      const { rows } = await sql`select from broker_messages where position is null`.execute(database.query)
      return rows.length === 0
    },
    { what: 'every message is routed' },
  )

export const queueLength = async (database: Database): Promise<number> => {
  const { rows } = await sql`select from broker_queue`.execute(database.query)
  return rows.length
}

/** The tables of the broker, without a broker. */
export const openStore = async ({
  connection,
}: Database): Promise<AsyncDisposable & { store: SessionStore }> => {
  const onLost = (error: Error): never => assert.fail(error)
  const lease = await acquireLease({ connection, onNotification: () => {}, onLost })
  assert.ok(lease !== undefined)
  return { store: new SessionStore(lease.query), [Symbol.asyncDispose]: () => lease.release() }
}
