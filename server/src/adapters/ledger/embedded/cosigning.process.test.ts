import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import {
  certificateSubject,
  checkpointIn,
  collectCosignatures,
  isQuorum,
  parseTlogPolicy,
  splitNote,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import {
  confirmedSize,
  cosignersOf,
  logKeyOf,
  openFollowed,
  policyOf,
  record,
} from '../../../../test/cosigned-log.ts'
import { sql } from 'kysely'
import { startCosigner } from '../../../../test/cosigner.ts'
import { eventually } from '../../../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { lacksLitewitness, startLitewitness, type TestWitness } from '../../../../test/litewitness.ts'
import { sizeOf } from '../../../../test/log-size.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { createLogKey } from './log-key.ts'

const skip = await lacksLitewitness()

describe('a log with three cosigners, two of which are a quorum', { skip }, () => {
  let witnesses: TestWitness[]
  before(async () => {
    witnesses = await Promise.all([1, 2, 3].map((number) => startLitewitness(`witness-${number}.example`)))
  })
  after(async () => {
    for (const witness of witnesses) await witness[Symbol.asyncDispose]()
  })

  test('has each entry in a checkpoint that the log and a quorum have signed', async () => {
    await using server = await openFollowed(witnesses, 'all.example')
    const policy = policyOf(witnesses)
    await using ledger = server.open('test', systemClock, cosignersOf(policy))
    await ledger.start()
    for (let size = 1; size <= 4; size += 1) {
      await record(ledger, 1)
      await eventually(async () => (await confirmedSize(ledger)) === 2 * size, {
        what: `${size} entries are confirmed`,
      })
    }
    const note = (await ledger.files.readConfirmed()) ?? ''
    const log = await createLogKey({ ...server, mode: 'test', clock: systemClock }).read()
    assert.equal(verifyCheckpoint(note, log, nodePrimitives).size, 8)
    const keys = witnesses.map(({ key }) => key)
    const cosignatures = collectCosignatures(splitNote(note), keys, nodePrimitives)
    assert.ok(
      isQuorum(
        policy,
        cosignatures.map(({ key }) => key),
      ),
    )
    await ledger.confirmation?.check()
    const published = (await ledger.files.readCheckpoint()) ?? ''
    assert.equal(splitNote(note).text, splitNote(published).text)
  })

  test('is confirmed although many checkpoints follow each other at once', async () => {
    await using server = await openFollowed(witnesses, 'busy.example')
    await using ledger = server.open('test', systemClock, cosignersOf(policyOf(witnesses, { quorum: 3 })))
    await ledger.start()
    for (let round = 0; round < 100; round += 1) await record(ledger, 3)
    await eventually(async () => (await confirmedSize(ledger)) === 600, { what: '300 entries are confirmed' })
  })

  test('goes on with one of them away, and without a quorum records and says so, until they are back', async () => {
    await using server = await openFollowed(witnesses, 'away.example')
    await using ledger = server.open('test', systemClock, cosignersOf(policyOf(witnesses)))
    await ledger.start()
    const [first, second] = witnesses
    await first?.stop()
    await record(ledger, 1)
    await eventually(async () => (await confirmedSize(ledger)) === 2, { what: 'one entry is confirmed' })
    await second?.stop()
    await record(ledger, 1)
    const failed = () =>
      (ledger.confirmation?.states ?? [])
        .filter(({ failure }) => failure !== undefined)
        .map(({ name }) => name)
    await eventually(() => failed().join() === 'w1,w2', { what: 'both are seen to be away' })
    assert.equal(await confirmedSize(ledger), 2)
    assert.equal(ledger.obstacle, undefined)
    for (const witness of [first, second]) await witness?.start()
    await eventually(async () => (await confirmedSize(ledger)) === 4, { what: 'two entries are confirmed' })
    await ledger.confirmation?.check()
  })

  test('keeps serving the tiles of the confirmed checkpoint after full tiles have replaced them', async () => {
    await using server = await openFollowed(witnesses, 'tiles.example')
    await using ledger = server.open('test', systemClock, cosignersOf(policyOf(witnesses)))
    await ledger.start()
    await record(ledger, 5)
    await eventually(async () => (await confirmedSize(ledger)) === 10, { what: 'five entries are confirmed' })
    const paths = ['tile/0/000.p/10', 'tile/entries/000.p/10']
    const earlier = await Promise.all(paths.map((path) => ledger.files.readConfirmedTile(path)))
    for (const witness of witnesses) await witness.stop()
    await record(ledger, 255)
    await record(ledger, 1)
    assert.equal(await ledger.files.readTile('tile/0/000.p/10'), undefined)
    const later = await Promise.all(paths.map((path) => ledger.files.readConfirmedTile(path)))
    assert.ok(earlier.every((bytes) => bytes !== undefined))
    const hex = (tiles: readonly (Uint8Array | undefined)[]) =>
      tiles.map((bytes) => Buffer.from(bytes ?? []).toString('hex'))
    assert.deepEqual(hex(later), hex(earlier))
    assert.equal(await ledger.files.readConfirmedTile('tile/0/000'), undefined)
    for (const witness of witnesses) await witness.start()
  })

  test('gets new cosignatures while a log is idle, and a state leaf after a day', async () => {
    await using server = await openFollowed(witnesses, 'idle.example')
    const clock = movableClock()
    await using ledger = server.open('test', clock, cosignersOf(policyOf(witnesses)))
    await ledger.start()
    await record(ledger, 1)
    await eventually(async () => (await confirmedSize(ledger)) === 2, { what: 'the entry is confirmed' })
    const readNote = async () => splitNote((await ledger.files.readConfirmed()) ?? '')
    const earlier = await readNote()
    // A cosignature of the same second is the same. Altogether less than a day.
    let rounds = 0
    await eventually(
      async () => {
        if (rounds < 120) clock.advance({ minutes: 11 })
        rounds += 1
        const { lines } = await readNote()
        return lines.every((line, at) => at === 0 || !earlier.lines.includes(line))
      },
      { what: 'cosigners have signed again' },
    )
    assert.equal((await readNote()).text, earlier.text)
    clock.advance({ minutes: 24 * 60 })
    await eventually(async () => (await confirmedSize(ledger)) === 3, { what: 'a state leaf is confirmed' })
  })

  test('proves against what is confirmed while the state leaf of an idle day is not', async () => {
    await using server = await openFollowed(witnesses, 'quiet.example')
    const clock = movableClock()
    await using ledger = server.open('test', clock, cosignersOf(policyOf(witnesses)))
    await ledger.start()
    const transaction = makeLedgerSigner().create(certificateAsset())
    await ledger.submit(transaction)
    await eventually(async () => (await confirmedSize(ledger)) === 2, { what: 'the entry is confirmed' })
    for (const witness of witnesses) await witness.stop()
    clock.advance({ days: 1 })
    await eventually(async () => (await sizeOf(server)) === 3, { what: 'a state leaf is recorded' })
    const wanted = { transactionIds: [transaction.id], subjects: [certificateSubject(transaction.id)] }
    const { checkpoint = '', statePath } =
      (await ledger.confirmation?.prove({ ...wanted, withState: true })) ?? {}
    assert.equal(checkpointIn(checkpoint).size, 2)
    assert.equal(statePath?.length, 1)
    for (const witness of witnesses) await witness.start()
  })

  test('is not sent to anybody if the policy names other logs only', async () => {
    await using other = await openLedgerInstallation(undefined, 'named.example')
    const named = `log ${await logKeyOf(other, 'named.example')}\n`
    await using server = await openFollowed(witnesses, 'unnamed.example')
    await using ledger = server.open('test', systemClock, cosignersOf(policyOf(witnesses, { logs: named })))
    await ledger.start()
    await record(ledger, 1)
    assert.deepEqual(ledger.confirmation?.states, [])
    await ledger.confirmation?.check()
  })
})

describe('what a process has confirmed', () => {
  test('is known to the next one, although the first was killed before it told the database', async () => {
    await using cosigner = await startCosigner('inspection.example')
    await using server = await openLedgerInstallation()
    const policy = `witness w1 ${cosigner.vkey} ${cosigner.url}\nquorum w1\n`
    const open = () => server.open('test', systemClock, cosignersOf(parseTlogPolicy(policy, nodePrimitives)))
    const transaction = makeLedgerSigner().create(certificateAsset())
    const untilConfirmed = (ledger: ReturnType<typeof open>) =>
      eventually(async () => (await ledger.confirmation?.find([transaction.id]))?.get(transaction.id), {
        what: 'the entry is confirmed',
      })
    await using first = open()
    await first.start()
    await first.submit(transaction)
    assert.deepEqual((await untilConfirmed(first)).by, ['inspection.example'])
    await first[Symbol.asyncDispose]()
    await sql`delete from ledger_confirmations`.execute(server.database.query)
    cosigner.stop()
    await using next = open()
    await next.start()
    assert.deepEqual((await untilConfirmed(next)).by, ['inspection.example'])
  })
})

describe('an append', () => {
  test('does not wait for a cosigner that never answers, and neither does the end of the process', async () => {
    const asked = Promise.withResolvers<void>()
    const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const vkey = 'inspection.example/w1+c51fdafc+BHEv6rcgphmI2NF0nliSZXOA8g8HSVl8OBnY7NxyS00P'
    const policy = parseTlogPolicy(`witness w1 ${vkey} ${url}\nquorum w1\n`, nodePrimitives)
    await using server = await openLedgerInstallation()
    const [cosigner] = cosignersOf(policy).cosigners
    assert.ok(cosigner)
    let requests = 0
    const patient = {
      ...cosigner,
      // The question at the start has a deadline in the product; here it is answered, so that only the rest is silent.
      addCheckpoint: (...given: Parameters<typeof cosigner.addCheckpoint>) => {
        requests += 1
        return requests === 1
          ? Promise.resolve({ kind: 'unavailable', why: 'not yet' } as const)
          : cosigner.addCheckpoint(...given)
      },
    }
    const ledger = server.open('test', systemClock, { policy, cosigners: [patient] })
    await ledger.start()
    await asked.promise
    await record(ledger, 2)
    await ledger[Symbol.asyncDispose]()
    silent.closeAllConnections()
    silent.close()
  })
})
