import { operations, type UserResponse } from '@millseal/contract'
import { bind } from '../../../server/src/http/binding.ts'
import { createMetrics } from '../../../server/src/http/metrics.ts'
import { createHttpServer } from '../../../server/src/http/server.ts'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { openDurableDatabase, writeEvent } from '../embedded-database.ts'
import { load } from '../load.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

/**
 * A POST through the real stack whose handler only commits one event, so that hashing a password hides nothing. With a
 * key the same transaction also claims it and keeps the answer.
 */
export const idempotency: Measurement = {
  name: 'idempotency',
  async measure({ folder }) {
    await using database = await openDurableDatabase(await folder('idempotency'))
    await using server = await listen(database)
    const order = { url: server.url, method: 'POST', body: JSON.stringify(person) } as const
    const rounds = await inTurn({
      plain: () => load(server, 201, order),
      keyed: () => load(server, 201, { ...order, uniqueHeader: 'idempotency-key' }),
    })
    const rowsOf = (how: 'plain' | 'keyed', name: string): Row[] => [
      { what: `POST, ${name}`, value: medianOf(rounds, (round) => round[how].perSecond), unit: '/s' },
      { what: '… p99', value: medianOf(rounds, (round) => round[how].p99Ms), unit: 'ms' },
    ]
    return [
      ...rowsOf('plain', 'without a key'),
      ...rowsOf('keyed', 'with a new Idempotency-Key each'),
      ratioRow('throughput, with : without', rounds, ({ keyed, plain }) => keyed.perSecond / plain.perSecond),
    ]
  },
}

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const answer: UserResponse = {
  id: '018f0000-0000-7000-8000-000000000002',
  username: person.username,
  email: person.email,
  role: 'USER',
  status: 'active',
  emailConfirmed: false,
  onBoarded: false,
  companies: [],
  assignedCompanies: [],
}

const listen = async (database: Database): Promise<AsyncDisposable & { url: string; pid: number }> => {
  const { server } = await createHttpServer({
    bindings: [
      bind(operations.registerUser, ({ commit }) =>
        commit(async (tx) => {
          await writeEvent(tx)
          return answer
        }),
      ),
    ],
    authenticate: nobody,
    authenticateBrowser: nobody,
    findStanding: nobody,
    database,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    settings: {
      services: ['user-service'],
      callsPerMinute: 0,
      certificateBytes: 1_024,
      trustProxy: [],
      isSecure: false,
    },
    draining: () => false,
  })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { url: `${address}/api/users`, pid: process.pid, [Symbol.asyncDispose]: () => server.close() }
}

const nobody = () => Promise.reject(new Error('The operation measured here is public'))

const ignore = (): void => {}
const log = {
  level: 'silent',
  fatal: ignore,
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  trace: ignore,
  silent: ignore,
  child: () => log,
}
