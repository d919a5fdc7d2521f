import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkpointIn, parseTlogPolicy } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { sql } from 'kysely'
import {
  confirmedSize,
  cosignersOf,
  logKeyOf,
  openFollowed,
  policyOf,
  record,
} from '../../../../test/cosigned-log.ts'
import { eventually } from '../../../../test/eventually.ts'
import { backUpLedger, ledgerTables } from '../../../../test/ledger-backup.ts'
import type { LedgerInstallation } from '../../../../test/ledger-installation.ts'
import { lacksLitewitness, startLitewitness, type TestWitness } from '../../../../test/litewitness.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import type { EmbeddedLedger } from './embedded.ts'
import { LedgerDamaged, LogForked } from './ledger-damaged.ts'

const skip = await lacksLitewitness()

/** What an operator restores: folder and index of an earlier time, and nothing that remembers a later one. */
const backUp = async (server: LedgerInstallation): Promise<() => Promise<void>> => {
  const restore = await backUpLedger(server)
  return async () => {
    await rm(server.knownCheckpoints, { recursive: true, force: true })
    await restore()
  }
}

const forked = (reason: RegExp) => (error: unknown) =>
  error instanceof LedgerDamaged && reason.test(error.message)

describe('a log that a cosigner knows better', { skip }, () => {
  const host = 'forked.example'
  let witness: TestWitness
  let server: LedgerInstallation
  let restore: () => Promise<void>
  before(async () => {
    witness = await startLitewitness('witness.example')
    server = await openFollowed([witness], host)
    await using ledger = open()
    await ledger.start()
    await record(ledger, 3)
    await ledger[Symbol.asyncDispose]()
    restore = await backUp(server)
    await using later = open()
    await later.start()
    await record(later, 2)
    await eventually(async () => (await confirmedSize(later)) === 10, { what: 'five entries are confirmed' })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await witness[Symbol.asyncDispose]()
  })

  const open = (): EmbeddedLedger =>
    server.open('test', systemClock, cosignersOf(policyOf([witness], { quorum: 1 })))
  /** Records other entries than those that the cosigner has seen, while it cannot be asked. */
  const growDifferently = async (count: number): Promise<void> => {
    await restore()
    await using ledger = server.open()
    await ledger.start()
    await record(ledger, count)
  }

  test('does not start on an older copy, which stays as it is', async () => {
    await restore()
    await using ledger = open()
    await assert.rejects(
      ledger.start(),
      forked(
        /cosigner w1 has seen another test log: it has 10 entries, but the log on disk has 6\..*continue-as-new --mode test/,
      ),
    )
    assert.equal(checkpointIn((await ledger.files.readCheckpoint()) ?? '').size, 6)
  })

  test('does not start on a copy that went on differently, be it shorter, equally long or longer', async () => {
    await growDifferently(1)
    await using shorter = open()
    await assert.rejects(shorter.start(), forked(/it has 10 entries, but the log on disk has 8/))
    await growDifferently(2)
    await using equal = open()
    await assert.rejects(equal.start(), forked(/w1 has seen another test log/))
    await growDifferently(4)
    await using longer = open()
    await assert.rejects(longer.start(), forked(/its 10 entries are not the first of the 14 of this log/))
  })

  test('starts if the cosigner is away, stops once it is back, and no other process goes on', async () => {
    await growDifferently(4)
    await witness.stop()
    await using running = open()
    await running.start()
    await using next = open()
    await next.start()
    await record(running, 1)
    await witness.start()
    for (const ledger of [running, next])
      await eventually(() => ledger.obstacle instanceof LogForked, { what: 'the fork is noticed' })
    for (const ledger of [running, next])
      await assert.rejects(record(ledger, 1), /The cosigner w1 has seen another test log/)
    assert.equal(checkpointIn((await running.files.readCheckpoint()) ?? '').size, 16)
  })

  test('does not start while the cosigner is away that has refused the log before', async () => {
    const refused = forked(/its 10 entries are not the first of the (14|16) of this log/)
    await witness.stop()
    await using afterRunning = open()
    await assert.rejects(afterRunning.start(), refused)
    await witness.start()
    await growDifferently(4)
    await using refusedAtStart = open()
    await assert.rejects(refusedAtStart.start(), refused)
    await witness.stop()
    await using later = open()
    await assert.rejects(later.start(), refused)
    await witness.start()
  })

  test('does not start with no entries at all, under a key whose entries the cosigner has seen', async () => {
    await rm(server.folder, { recursive: true })
    await rm(server.knownCheckpoints, { recursive: true, force: true })
    for (const table of ledgerTables)
      await sql`delete from ${sql.table(table)}`.execute(server.database.query)
    await using ledger = open()
    await assert.rejects(ledger.start(), forked(/it has 10 entries, but the log on disk has 0/))
    assert.equal(await ledger.files.readCheckpoint(), undefined)
  })
})

describe('a log of which a cosigner has once seen more', { skip }, () => {
  const host = 'remembering.example'
  let witness: TestWitness
  let server: LedgerInstallation
  before(async () => {
    witness = await startLitewitness('witness.example')
    server = await openFollowed([witness], host)
    await using ledger = server.open()
    await ledger.start()
    await record(ledger, 1)
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await witness[Symbol.asyncDispose]()
  })

  const file = () => join(server.folder, 'forked')
  const remember = async (): Promise<void> => {
    const log = await logKeyOf(server, host)
    await writeFile(file(), `${log}\n${witness.vkey}\nThe cosigner w1 has seen another test log\n`)
  }
  const openWith = (policy: ReturnType<typeof policyOf>): EmbeddedLedger =>
    server.open('test', systemClock, cosignersOf(policy))

  test('is written again once the cosigner accepts it', async () => {
    await remember()
    await witness.stop()
    await using refused = openWith(policyOf([witness], { quorum: 1 }))
    await assert.rejects(refused.start(), forked(/^The cosigner w1 has seen another test log$/))
    await witness.start()
    await using ledger = openWith(policyOf([witness], { quorum: 1 }))
    await ledger.start()
    await record(ledger, 1)
    assert.equal(existsSync(file()), false)
  })

  test('is written again once the policy does not name that cosigner any more', async () => {
    await remember()
    const vkey = 'inspection.example/w1+c51fdafc+BHEv6rcgphmI2NF0nliSZXOA8g8HSVl8OBnY7NxyS00P'
    const text = `witness other ${vkey} http://127.0.0.1:1\nquorum other\n`
    await using ledger = openWith(parseTlogPolicy(text, nodePrimitives))
    await ledger.start()
    await record(ledger, 1)
    assert.equal(existsSync(file()), false)
  })
})
