import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { sizeOf } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { LedgerStopped } from '../../../ports/ledger/ledger.ts'
import { notarized } from '../../../ports/ledger/notarized.ts'
import { storeAcceptedTime } from './accepted-time.ts'
import type { EmbeddedLedger } from './embedded.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()

const record = async (ledger: EmbeddedLedger): Promise<Date> => {
  const { entry } = await ledger.submit(mill.create(certificateAsset()), undefined, notarized)
  return entry.timestamp ?? assert.fail('no time')
}

const assertStopped = async (ledger: EmbeddedLedger, reason: RegExp): Promise<void> => {
  const stopped = (error: unknown) => error instanceof LedgerStopped && reason.test(error.message)
  await assert.rejects(record(ledger), stopped)
  await assert.rejects(ledger.check(generousDeadline()), reason)
}

const open = async (server: LedgerInstallation) => {
  const clock = movableClock()
  const ledger = server.open('test', clock)
  await ledger.start()
  return { clock, ledger, [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose]() }
}

describe('the time of a log', () => {
  test('is in each entry, in the order of the entries, and the index has the same', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    using _still = clock.freeze()
    const first = await record(ledger)
    assert.equal(first.getTime(), clock.now())
    clock.advance({ minutes: 3 })
    assert.equal((await record(ledger)).getTime(), first.getTime() + 180_000)
    const { rows } = await sql<{ committedAt: Date }>`
      select committed_at from ledger_blocks order by height`.execute(server.database.query)
    assert.deepEqual(rows[0]?.committedAt, first)
  })

  test('stands still while the clock is less than a minute behind, and goes on when it has passed', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    using _still = clock.freeze()
    const first = await record(ledger)
    clock.jump({ seconds: -10 })
    assert.deepEqual(await record(ledger), first)
    clock.advance({ seconds: 11 })
    assert.equal((await record(ledger)).getTime(), first.getTime() + 1_000)
    assert.deepEqual((await verifyLog({ files: server.files })).problems, [])
  })

  test('is refused after a jump back by three days, and continues by itself once the clock is corrected', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    const known = mill.create(certificateAsset())
    await ledger.submit(known)
    const before = await readFile(join(server.folder, 'checkpoint'))
    clock.jump({ days: -3 })
    await assertStopped(
      ledger,
      /set back by 3 days; nothing is recorded\. .* millseal log accept-time --mode test/,
    )
    assert.equal((await ledger.submit(known)).isNew, false, 'what was recorded is still answered')
    assert.deepEqual(await readFile(join(server.folder, 'checkpoint')), before)
    clock.jump({ days: 3 })
    await record(ledger)
    await ledger.check(generousDeadline())
  })

  test('is refused after a jump forward, and not while time only passes', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    clock.advance({ days: 40 })
    await record(ledger)
    clock.jump({ minutes: 2 })
    await assertStopped(ledger, /set forward by 2 minutes/)
  })

  test('is not refused because of many small corrections of the clock', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    for (const day of [1, 2, 3]) {
      clock.advance({ days: 1, seconds: 1 })
      clock.jump({ seconds: 25 })
      assert.ok(await record(ledger), `day ${day}`)
    }
  })

  test('is refused at the start if the newest entry is of the future; the server starts and answers', async () => {
    await using server = await openLedgerInstallation()
    const transaction = mill.create(certificateAsset())
    {
      await using opened = await open(server)
      opened.clock.advance({ days: 3 })
      await opened.ledger.submit(transaction)
    }
    await using opened = await open(server)
    await assertStopped(opened.ledger, /is \d+ (days|hours) behind the newest time of the test log/)
    assert.deepEqual((await opened.ledger.find(transaction.id))?.transaction, transaction)
    opened.clock.advance({ days: 3 })
    await eventually(() => record(opened.ledger).catch(() => false))
  })

  test('is accepted by an operator: it stands still at the newest time until the clock has passed it', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    using _still = clock.freeze()
    clock.advance({ days: 3 })
    const newest = await record(ledger)
    clock.jump({ days: -3 })
    await assertStopped(ledger, /set back/)
    const { query } = server.database
    await storeAcceptedTime(query, { mode: 'test', time: new Date(clock.now()), newest })
    assert.deepEqual(await eventually(() => record(ledger).catch(() => false)), newest)
    clock.advance({ days: 4 })
    assert.equal((await record(ledger)).getTime(), newest.getTime() + 86_400_000)
    clock.jump({ days: -2 })
    await assertStopped(ledger, /set back by 2 days/)
    assert.deepEqual((await verifyLog({ files: server.files })).problems, [])
  })

  test('is refused in one mode and not in the other, if only one is of the future', async () => {
    await using server = await openLedgerInstallation()
    {
      await using opened = await open(server)
      opened.clock.advance({ days: 3 })
      await record(opened.ledger)
    }
    await using trial = server.open('test')
    await using live = server.open('live')
    await trial.start()
    await live.start()
    await assert.rejects(record(trial), LedgerStopped)
    await record(live)
  })

  test('is refused promptly to a process that does not write', async () => {
    await using server = await openLedgerInstallation()
    await using writer = await open(server)
    await using follower = server.open()
    await follower.start()
    writer.clock.jump({ minutes: -5 })
    await assert.rejects(
      record(follower),
      (error) => error instanceof LedgerStopped && /set back/.test(error.message),
    )
  })

  test('is new in the proofs of a log that recorded nothing for a month', async () => {
    await using server = await openLedgerInstallation()
    await using opened = await open(server)
    const { ledger, clock } = opened
    using _still = clock.freeze()
    const { entry } = await ledger.submit(mill.create(certificateAsset()))
    clock.advance({ days: 31 })
    await sql`select pg_notify('ledger_test_submitted', '')`.execute(server.database.query)
    const asked = { transactionIds: [entry.transaction.id], subjects: [] }
    const now = `\nmillseal-time ${new Date(clock.now()).toISOString()}\n`
    await eventually(async () => (await ledger.proveRecords(asked))?.checkpoint.includes(now))
  })

  test('is said by a state leaf alone after an idle day, and not before', async () => {
    await using server = await openLedgerInstallation()
    const signedAt = async (): Promise<number> => {
      const [, time = ''] =
        /\nmillseal-time (\S+)\n/.exec(await readFile(join(server.folder, 'checkpoint'), 'utf8')) ?? []
      return Date.parse(time)
    }
    const wakeWriter = () => sql`select pg_notify('ledger_test_submitted', '')`.execute(server.database.query)
    await using opened = await open(server)
    const { ledger, clock } = opened
    using _still = clock.freeze()
    const first = await record(ledger)
    assert.deepEqual([await signedAt(), await sizeOf(server)], [first.getTime(), 2])
    clock.advance({ minutes: 1_439 })
    await wakeWriter()
    clock.advance({ minutes: 2 })
    await wakeWriter()
    await eventually(async () => (await signedAt()) !== first.getTime())
    assert.deepEqual([await signedAt(), await sizeOf(server)], [first.getTime() + 1_441 * 60_000, 3])
    assert.equal((await record(ledger)).getTime(), clock.now())
    assert.deepEqual((await verifyLog({ files: server.files })).problems, [])
  })
})
