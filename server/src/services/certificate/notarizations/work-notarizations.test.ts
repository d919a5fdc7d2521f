import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import type { PdfRenderer } from '@millseal/families'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { refuseUpdates } from '../../../../test/read-only.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { addressOf, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openPostgres } from '../../../adapters/database/postgres.ts'
import { startNotarizing } from './work-notarizations.ts'

let database: Database
let server: TestServer
let process: CertificateProcess
let deps: CertificateDependencies
let mill: Owner
let identity: Identity
before(async () => {
  database = await openTestDatabase()
  const databaseUrl = addressOf(database)
  {
    await using complete = await startTestServer({ databaseUrl })
    mill = await newOwner(complete, 'working-mill')
    identity = await newIdentity(complete.client(mill.admin.accessToken), mill.company.id)
  }
  // Writes the ledger; the workers are those of the tests.
  server = await startTestServer({ databaseUrl, environment: { MILLSEAL_ROLES: 'api' } })
  process = await openCertificateProcess(server)
  deps = process.deps
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const plan = (ids: readonly string[], at: Date) =>
  database.query
    .updateTable('certificates')
    .set({ nextAttemptAt: at })
    .where('id', 'in', [...ids])
    .execute()
const makeDue = (ids: readonly string[], inMs = 0) => plan(ids, new Date(deps.clock.now() + inMs))

const acceptDue = async (count: number): Promise<string[]> => {
  const ids = await accept(count)
  await makeDue(ids)
  return ids
}

/** Due in some hours. */
const accept = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const certificate = sampleCertificate()
    const about = { companyId: mill.company.id, identityId: identity.id, certificate }
    ids.push(await acceptCertificate(deps, about))
  }
  return ids
}

const inState = async (ids: readonly string[], state: string): Promise<number> => {
  const found = await Promise.all(ids.map((id) => storedCertificate(deps, id)))
  return found.filter((certificate) => certificate.state === state).length
}

/** A renderer that never answers; a rendering ends only by its signal. */
const stuck = (): PdfRenderer => ({
  ...deps.pdf,
  render: (_request, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
})

const failing = (): PdfRenderer => ({
  ...deps.pdf,
  render: () => Promise.reject(new Error('The renderer is broken')),
})

const times = { renewMs: 10_000, expireMs: 300_000, stopMs: 10_000 }

describe('a worker of notarizations', () => {
  test('runs all that are due, more than it runs at a time, and those that come later', async () => {
    const first = await acceptDue(27)
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState(first, 'notarized')) === first.length)
    const later = await acceptDue(1)
    await eventually(async () => (await inState(later, 'notarized')) === later.length)
  })

  test('finishes what it has begun before it stops, and begins nothing more', async () => {
    const ids = await acceptDue(2)
    const worker = startNotarizing(deps)
    await eventually(async () => (await inState(ids, 'accepted')) === 0, { everyMs: 1 })
    await worker[Symbol.asyncDispose]()
    assert.equal(await inState(ids, 'notarized'), 2)
    const later = await acceptDue(1)
    assert.equal(await inState(later, 'accepted'), 1)
    await database.query.deleteFrom('certificates').where('id', 'in', later).execute()
  })

  test('writes no warning while it has nothing to do, and none when it stops', async () => {
    const [id = ''] = await acceptDue(1)
    const linesBefore = process.log.length
    {
      await using _worker = startNotarizing(deps, { ...times, renewMs: 1 })
      await eventually(async () => (await inState([id], 'notarized')) === 1)
    }
    assert.deepEqual(
      process.log.slice(linesBefore).filter((line) => line.includes('not rescheduled')),
      [],
    )
  })

  test('aborts an attempt that takes too long', async () => {
    const [id = ''] = await acceptDue(1)
    {
      await using _worker = startNotarizing({ ...deps, pdf: stuck() }, { ...times, expireMs: 50 })
      await eventually(() =>
        process.log.some((line) => line.includes(id) && line.includes('The notarization took too long')),
      )
    }
    await makeDue([id])
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([id], 'notarized')) === 1)
  })

  test('schedules a failed attempt again after a delay, and logs it', async () => {
    const [id = ''] = await acceptDue(1)
    {
      await using _worker = startNotarizing({ ...deps, pdf: failing() })
      await eventually(() =>
        process.log.some((line) => line.includes(id) && line.includes('failed and will be retried')),
      )
    }
    const { state, attempts, nextAttemptAt } = await storedCertificate(deps, id)
    assert.deepEqual([state, attempts], ['running', 1])
    const delayMs = (nextAttemptAt?.getTime() ?? 0) - deps.clock.now()
    assert.ok(delayMs > 0 && delayMs < 30_000, `retried after ${delayMs} ms, sooner than a lease ends`)
    server.clock.advance({ seconds: 30 })
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([id], 'notarized')) === 1)
  })

  test('logs that it could neither renew a lease nor schedule a retry, after which the next worker has the notarization', async () => {
    const [id = ''] = await acceptDue(1)
    const own = openPostgres({
      connection: { connectionString: addressOf(database) },
      applicationName: 'test',
      maxConnections: 2,
      log: silentLog,
    })
    const { promise: page, reject: fail } = Promise.withResolvers<never>()
    const pdf = { ...deps.pdf, render: () => page }
    const worker = startNotarizing({ ...deps, database: own, pdf }, { ...times, renewMs: 1, stopMs: 50 })
    await eventually(async () => (await inState([id], 'running')) === 1)
    await own[Symbol.asyncDispose]()
    const isLogged = (text: string) => eventually(() => process.log.some((line) => line.includes(text)))
    await isLogged('notarizations were not rescheduled')
    fail(new Error('The renderer is broken'))
    await isLogged('the retry could not be scheduled yet')
    await worker[Symbol.asyncDispose]()
    server.clock.advance({ seconds: 31 })
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([id], 'notarized')) === 1)
  })

  test('tries again as soon as the database works, and not only when the lease ends', async () => {
    const [id = ''] = await acceptDue(1)
    const { promise: page, reject: fail } = Promise.withResolvers<never>()
    let renderings = 0
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => (++renderings === 1 ? page : deps.pdf.render(request, signal)),
    }
    await using _worker = startNotarizing({ ...deps, pdf })
    await eventually(() => renderings === 1)
    // So long that the test fails if it waits for the end of the lease.
    await makeDue([id], 3_600_000)
    {
      await using _outage = await refuseUpdates(database)
      fail(new Error('The renderer is broken'))
      const text = 'the retry could not be scheduled yet'
      const isLogged = () => process.log.some((line) => line.includes(id) && line.includes(text))
      await eventually(isLogged)
    }
    await eventually(async () => (await inState([id], 'notarized')) === 1)
  })

  test('runs what was to be retried at a time that only a clock that was ahead could plan, also if it was planned since the last look', async () => {
    const [first = '', second = ''] = await acceptDue(2)
    const planned = new Date(deps.clock.now() + 200 * 86_400_000)
    await plan([first, second], planned)
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([first, second], 'notarized')) === 2)
    const [later = ''] = await accept(1)
    await plan([later], planned)
    await eventually(async () => (await inState([later], 'notarized')) === 1)
  })

  test('after the clock was set back, runs what was planned by the old time, and nothing twice', async () => {
    const [held = '', planned = ''] = await acceptDue(2)
    const rendered: string[] = []
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => {
        rendered.push(request.hash)
        return stuck().render(request, signal)
      },
    }
    await plan([planned], new Date(deps.clock.now() + 60_000))
    {
      await using _worker = startNotarizing({ ...deps, pdf }, { ...times, renewMs: 1, stopMs: 50 })
      await eventually(async () => (await inState([held], 'running')) === 1)
      server.clock.jump({ days: -10 })
      await eventually(async () => (await inState([planned], 'running')) === 1)
      const leaseMs = async () =>
        ((await storedCertificate(deps, held)).nextAttemptAt?.getTime() ?? Infinity) - deps.clock.now()
      await eventually(async () => (await leaseMs()) <= 30_000, { what: 'a lease of the new time' })
      await eventually(() => rendered.length >= 2)
    }
    const hashes = await Promise.all(
      [held, planned].map(async (id) => (await storedCertificate(deps, id)).hash),
    )
    assert.deepEqual(rendered.toSorted(), hashes.toSorted(), 'each was begun once')
    server.clock.jump({ days: 10 })
    await makeDue([held, planned])
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([held, planned], 'notarized')) === 2)
  })

  test('waits for what it has begun only as long as it may, then for what it has aborted', async () => {
    const [slow = '', deaf = ''] = await acceptDue(2)
    const slowHash = (await storedCertificate(deps, slow)).hash
    const { promise: end, resolve: endNow } = Promise.withResolvers<void>()
    const order: string[] = []
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) =>
        request.hash === slowHash
          ? new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                order.push('aborted')
                void end.then(() => reject(signal.reason))
              })
            })
          : new Promise(() => {}),
    }
    const worker = startNotarizing({ ...deps, pdf }, { ...times, stopMs: 300 })
    await eventually(async () => (await inState([slow, deaf], 'running')) === 2)
    const stopped = worker[Symbol.asyncDispose]().then(() => order.push('stopped'))
    await eventually(() => order.includes('aborted'))
    endNow()
    await stopped
    assert.deepEqual(order, ['aborted', 'stopped'])
    for (const id of [slow, deaf])
      assert.ok(
        ((await storedCertificate(deps, id)).nextAttemptAt?.getTime() ?? Infinity) <= deps.clock.now(),
      )
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState([slow, deaf], 'notarized')) === 2)
  })

  test('has at most 24 in work, renews their leases, and gives back on stopping what is not done', async () => {
    const ids = await acceptDue(30)
    const worker = startNotarizing({ ...deps, pdf: stuck() }, { ...times, renewMs: 1, stopMs: 50 })
    await eventually(async () => (await inState(ids, 'running')) === 24)
    const running = (await Promise.all(ids.map((id) => storedCertificate(deps, id)))).filter(
      ({ state }) => state === 'running',
    )
    const leasedUntil = Math.max(...running.map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0))
    await eventually(async () => {
      const now = await Promise.all(running.map(({ id }) => storedCertificate(deps, id)))
      return now.every(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) > leasedUntil)
    })
    assert.equal(await inState(ids, 'running'), 24)
    await worker[Symbol.asyncDispose]()
    for (const { id } of running) {
      const { state, attempts, nextAttemptAt, error } = await storedCertificate(deps, id)
      assert.deepEqual([state, attempts, error], ['running', 0, null])
      assert.ok(nextAttemptAt !== null && nextAttemptAt.getTime() <= deps.clock.now())
      assert.ok(!process.log.some((line) => line.includes(id)), 'stopping is no failure')
    }
    await using _worker = startNotarizing(deps)
    await eventually(async () => (await inState(ids, 'notarized')) === ids.length)
  })
})
