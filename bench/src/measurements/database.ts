import { randomUUID } from 'node:crypto'
import { operations, type UserResponse } from '@millseal/contract'
import { bind } from '../../../server/src/http/binding.ts'
import { createMetrics } from '../../../server/src/http/metrics.ts'
import { createHttpServer } from '../../../server/src/http/server.ts'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { maxConnections, openDisk, openDurableDatabase, writeEvent } from '../durable.ts'
import { load } from '../load.ts'
import { alternate, repeat } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'

const ms = 900
const companyId = randomUUID()

export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  await commitEvents(database, folder, report)
  await claimKeys(database, report)
}

/** begin, insert one event, commit: what is acknowledged is on disk. */
const commitEvents = async (database: Database, folder: string, report: Report): Promise<void> => {
  await using disk = await openDisk(folder)
  const write = () => database.transaction((tx) => writeEvent(tx, companyId))
  const { rounds, median } = await alternate({
    disk: () => disk.flush(),
    one: () => repeat(write, { concurrent: 1, ms }),
    eight: () => repeat(write, { concurrent: 8, ms }),
    many: () => repeat(write, { concurrent: 32, ms }),
  })
  report.rate('the disk alone: write 8 KiB, fdatasync', median.disk)
  report.rate('durable transactions with one insert, one at a time', median.one)
  report.value('… p99', median.one.p99Ms, 'ms')
  report.rate('… 8 at once', median.eight)
  report.value('… p99', median.eight.p99Ms, 'ms')
  report.rate('… 32 at once', median.many, { note: `${maxConnections} connections` })
  report.value('… p99', median.many.p99Ms, 'ms')
  const toDisk = rounds.map(({ one, disk: alone }) => one.perSecond / alone.perSecond)
  report.ratio('rate, one at a time : the disk alone', toDisk)
  const toOne = rounds.map(({ many, one }) => many.perSecond / one.perSecond)
  report.ratio('rate, 32 at once : one at a time', toOne)
}

/** The handler only commits one event. With a key the same transaction also claims the key and stores the answer. */
const claimKeys = async (database: Database, report: Report): Promise<void> => {
  await using server = await listen(database)
  const order = { url: server.url, method: 'POST', bodies: [JSON.stringify(person)] } as const
  const { rounds, median } = await alternate({
    plain: () => load(process.pid, 201, order),
    keyed: () => load(process.pid, 201, { ...order, uniqueHeader: 'idempotency-key' }),
  })
  report.rate('POST that commits one event, without a key, 50 clients', median.plain)
  report.value('… p99', median.plain.p99Ms, 'ms')
  report.rate('… with a new Idempotency-Key each', median.keyed)
  report.value('… p99', median.keyed.p99Ms, 'ms')
  const ratios = rounds.map(({ keyed, plain }) => keyed.perSecond / plain.perSecond)
  report.ratio('throughput, with a key : without', ratios)
}

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const answer: UserResponse = {
  id: companyId,
  username: person.username,
  email: person.email,
  role: 'USER',
  status: 'active',
  emailConfirmed: false,
  onBoarded: false,
  companies: [],
  assignedCompanies: [],
}

const nobody = () => Promise.reject(new Error('The operation is public'))
const ignore = (): void => {}
const levels = { fatal: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore, trace: ignore }
const log = { level: 'silent', ...levels, silent: ignore, child: () => log }

/** The HTTP stack in this process, with one operation. */
const listen = async (database: Database): Promise<AsyncDisposable & { readonly url: string }> => {
  const register = bind(operations.registerUser, ({ commit }) =>
    commit(async (tx) => {
      await writeEvent(tx, companyId)
      return answer
    }),
  )
  const { server } = await createHttpServer({
    bindings: [register],
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
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/api/users`
  return { url, [Symbol.asyncDispose]: () => server.close() }
}
