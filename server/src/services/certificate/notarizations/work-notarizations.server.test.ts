import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PdfRenderer } from '@millseal/families'
import { storedCertificate } from '../../../../test/certificate-service.ts'
import { eventually, generousMs } from '../../../../test/eventually.ts'
import { refuseUpdates } from '../../../../test/read-only.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { addressOf } from '../../../../test/test-server.ts'
import { openPostgres } from '../../../adapters/database/postgres.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { saveLook } from '../looks/looks.store.ts'
import { everyReceiver } from '../looks/receiver-key.ts'
import { slots, startNotarizing } from './work-notarizations.ts'
import { openWorkingMill, times, type WorkingMill } from './working-mill.suite.ts'

let mill: WorkingMill
let deps: CertificateDependencies
before(async () => {
  mill = await openWorkingMill('working-mill')
  ;({ deps } = mill)
})
after(() => mill[Symbol.asyncDispose]())

const failing = (): PdfRenderer => ({
  ...deps.pdf,
  render: () => Promise.reject(new Error('The renderer is broken')),
})

describe('a worker of notarizations', () => {
  test('runs all that are due, more than it runs at a time, and those that come later', async () => {
    const first = await mill.acceptDue(27)
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState(first, 'notarized')) === first.length)
    const later = await mill.acceptDue(1)
    await eventually(async () => (await mill.inState(later, 'notarized')) === later.length)
  })

  test('fills a free place at once, also from companies whose turn is over', async () => {
    const ids = await mill.acceptDue(slots + 1)
    const [first = '', last = ''] = [ids[0], ids.at(-1)]
    const { hash } = await storedCertificate(deps, first)
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => (request.hash === hash ? deps.pdf : mill.stuck()).render(request, signal),
    }
    {
      await using _worker = startNotarizing({ ...deps, pdf }, { ...times, idleMs: 3_600_000, stopMs: 50 })
      await eventually(async () => (await mill.inState([last], 'running')) === 1)
      assert.equal(await mill.inState([first], 'notarized'), 1)
    }
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState(ids, 'notarized')) === ids.length)
  })

  test('renders with the look that the company has set, from then on', async () => {
    const seen: string[] = []
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => {
        seen.push(JSON.stringify(request.document))
        return deps.pdf.render(request, signal)
      },
    }
    await using _worker = startNotarizing({ ...deps, pdf }, times)
    const notarizeOne = async () => {
      const ids = await mill.acceptDue(1)
      await eventually(async () => (await mill.inState(ids, 'notarized')) === 1)
      return (await storedCertificate(deps, ids[0] ?? '')).companyId
    }
    const companyId = await notarizeOne()
    await saveLook(mill.database.query, {
      key: { companyId, receiver: everyReceiver },
      changes: { settings: JSON.stringify({ footer: { en: 'Made in Steelton' } }) },
      now: new Date(deps.clock.now()),
    })
    await notarizeOne()
    await mill.database.query.deleteFrom('companyLooks').where('companyId', '=', companyId).execute()
    assert.deepEqual(
      seen.map((document) => document.includes('Made in Steelton')),
      [false, true],
    )
  })

  test('writes no warning while it has nothing to do, and none when it stops', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const linesBefore = mill.log.length
    {
      await using _worker = startNotarizing(deps, { ...times, renewMs: 1 })
      await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
    }
    assert.deepEqual(
      mill.log.slice(linesBefore).filter((line) => /leases failed|not released/.test(line)),
      [],
    )
  })

  test('aborts an attempt that takes too long', async () => {
    const [id = ''] = await mill.acceptDue(1)
    {
      await using _worker = startNotarizing({ ...deps, pdf: mill.stuck() }, { ...times, expireMs: 50 })
      await eventually(() =>
        mill.log.some((line) => line.includes(id) && line.includes('The notarization took too long')),
      )
    }
    await mill.makeDue([id])
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('schedules a failed attempt again after a delay, and logs it', async () => {
    using _still = mill.server.clock.freeze()
    const [id = ''] = await mill.acceptDue(1)
    {
      await using _worker = startNotarizing({ ...deps, pdf: failing() }, times)
      await eventually(() =>
        mill.log.some((line) => line.includes(id) && line.includes('failed and will be retried')),
      )
    }
    const { state, attempts, nextAttemptAt } = await storedCertificate(deps, id)
    assert.deepEqual([state, attempts], ['running', 1])
    const delayMs = (nextAttemptAt?.getTime() ?? 0) - deps.clock.now()
    assert.ok(delayMs > 0 && delayMs < 30_000, `retried after ${delayMs} ms, sooner than a lease ends`)
    mill.server.clock.advance({ seconds: 30 })
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('logs that it could neither renew a lease nor schedule a retry, after which the next worker has the notarization', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const own = openPostgres({
      connection: { connectionString: addressOf(mill.database) },
      applicationName: 'test',
      maxConnections: 2,
      connectTimeoutMs: generousMs,
      log: silentLog,
    })
    const { promise: page, reject: fail } = Promise.withResolvers<never>()
    const pdf = { ...deps.pdf, render: () => page }
    const worker = startNotarizing({ ...deps, database: own, pdf }, { ...times, renewMs: 1, stopMs: 50 })
    await eventually(async () => (await mill.inState([id], 'running')) === 1)
    await own[Symbol.asyncDispose]()
    const isLogged = (text: string) => eventually(() => mill.log.some((line) => line.includes(text)))
    await isLogged('renewing leases failed and will be retried')
    fail(new Error('The renderer is broken'))
    await isLogged('the retry could not be scheduled yet')
    await worker[Symbol.asyncDispose]()
    mill.server.clock.advance({ seconds: 31 })
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('tries again as soon as the database works, and not only when the lease ends', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const { promise: page, reject: fail } = Promise.withResolvers<never>()
    let renderings = 0
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => (++renderings === 1 ? page : deps.pdf.render(request, signal)),
    }
    await using _worker = startNotarizing({ ...deps, pdf }, times)
    await eventually(() => renderings === 1)
    // So long that the test fails if it waits for the end of the lease.
    await mill.makeDue([id], 3_600_000)
    {
      await using _outage = await refuseUpdates(mill.database)
      fail(new Error('The renderer is broken'))
      const text = 'the retry could not be scheduled yet'
      const isLogged = () => mill.log.some((line) => line.includes(id) && line.includes(text))
      await eventually(isLogged)
    }
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('runs what was to be retried at a time that only a clock that was ahead could plan, also if it was planned since the last look', async () => {
    const [first = '', second = ''] = await mill.acceptDue(2)
    const planned = new Date(deps.clock.now() + 200 * 86_400_000)
    await mill.plan([first, second], planned)
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([first, second], 'notarized')) === 2)
    const [later = ''] = await mill.accept(1)
    await mill.plan([later], planned)
    await eventually(async () => (await mill.inState([later], 'notarized')) === 1)
  })

  test('after the clock was set back, runs what was planned by the old time, and nothing twice', async () => {
    const [held = '', planned = ''] = await mill.acceptDue(2)
    const rendered: string[] = []
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) => {
        rendered.push(request.hash)
        return mill.stuck().render(request, signal)
      },
    }
    await mill.plan([planned], new Date(deps.clock.now() + 60_000))
    {
      await using _worker = startNotarizing({ ...deps, pdf }, { ...times, renewMs: 1, stopMs: 50 })
      await eventually(async () => (await mill.inState([held], 'running')) === 1)
      mill.server.clock.jump({ days: -10 })
      await eventually(async () => (await mill.inState([planned], 'running')) === 1)
      const leaseMs = async () =>
        ((await storedCertificate(deps, held)).nextAttemptAt?.getTime() ?? Infinity) - deps.clock.now()
      await eventually(async () => (await leaseMs()) <= 30_000, { what: 'a lease of the new time' })
      await eventually(() => rendered.length >= 2)
    }
    const hashes = await Promise.all(
      [held, planned].map(async (id) => (await storedCertificate(deps, id)).hash),
    )
    assert.deepEqual(rendered.toSorted(), hashes.toSorted(), 'each was begun once')
    mill.server.clock.jump({ days: 10 })
    await mill.makeDue([held, planned])
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([held, planned], 'notarized')) === 2)
  })

  test('renews leases no more often than it should', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const renewMs = 300
    const pdf = mill.stuck()
    {
      await using _worker = startNotarizing({ ...deps, pdf }, { ...times, renewMs, stopMs: 50 })
      const leasedLonger = (than: number) =>
        eventually(async () => {
          const until = (await storedCertificate(deps, id)).nextAttemptAt?.getTime() ?? 0
          return until > than && until
        })
      const renewed = await leasedLonger(await leasedLonger(deps.clock.now()))
      // A timer may be early by a millisecond, and dates are rounded.
      assert.ok((await leasedLonger(renewed)) - renewed >= renewMs - 2)
    }
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('has at most so many in work, renews their leases, and gives back on stopping what is not done', async () => {
    const ids = await mill.acceptDue(slots + 6)
    const worker = startNotarizing({ ...deps, pdf: mill.stuck() }, { ...times, renewMs: 1, stopMs: 50 })
    await eventually(async () => (await mill.inState(ids, 'running')) === slots)
    const running = (await Promise.all(ids.map((id) => storedCertificate(deps, id)))).filter(
      ({ state }) => state === 'running',
    )
    const leasedUntil = Math.max(...running.map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0))
    await eventually(async () => {
      const now = await Promise.all(running.map(({ id }) => storedCertificate(deps, id)))
      return now.every(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) > leasedUntil)
    })
    assert.equal(await mill.inState(ids, 'running'), slots)
    await worker[Symbol.asyncDispose]()
    for (const { id } of running) {
      const { state, attempts, nextAttemptAt, error } = await storedCertificate(deps, id)
      assert.deepEqual([state, attempts, error], ['running', 0, null])
      assert.ok(nextAttemptAt !== null && nextAttemptAt.getTime() <= deps.clock.now())
      assert.ok(!mill.log.some((line) => line.includes(id)), 'stopping is no failure')
    }
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState(ids, 'notarized')) === ids.length)
  })
})
