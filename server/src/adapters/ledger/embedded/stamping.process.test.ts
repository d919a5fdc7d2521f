import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { checkpointIn, leafHash, splitNote, verifyInclusion, verifyStamp } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { record } from '../../../../test/cosigned-log.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { lacksS3 } from '../../../../test/s3-server.ts'
import { startSilent } from '../../../../test/silent-server.ts'
import { type StampServer, startStampServer } from '../../../../test/stamp-server.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { createRfc3161Http } from '../../stamp-authority/rfc3161-http.ts'
import type { EmbeddedLedger } from './embedded.ts'
import type { LogStamps } from './stamping.ts'
import { readEntriesBetween } from './read-entries.ts'
import { openTileFolder } from './tile-folder.ts'

const noS3 = await lacksS3()
const timeoutMs = 60_000

/** Rounds follow each other at once: nothing here depends on how long one takes. */
const stampsOf = (servers: readonly Pick<StampServer, 'url' | 'authority'>[]): LogStamps => ({
  authorities: servers.map(({ url, authority }) => createRfc3161Http({ url, authority, timeoutMs })),
  everyMs: 20,
})

describe('a log that two authorities stamp', () => {
  const opened = new AsyncDisposableStack()
  let first: StampServer
  let second: StampServer
  before(async () => {
    first = opened.use(await startStampServer('First'))
    second = opened.use(await startStampServer('Second'))
  })
  after(() => opened.disposeAsync())

  /** What the authorities say about an entry, and of how many entries the stamped checkpoints are. */
  const stampsAbout = async (ledger: EmbeddedLedger, index: number) =>
    ((await ledger.files.proveStamps(index)) ?? []).map(({ checkpoint, token }) => {
      const sha256 = hash('sha256', splitNote(checkpoint).text, 'buffer')
      const { authority } = verifyStamp({ token, sha256, authorities: [first.authority, second.authority] })
      return `${authority} ${checkpointIn(checkpoint).size}`
    })
  const untilStamped = (ledger: EmbeddedLedger, index: number, expected: string): Promise<unknown> =>
    eventually(async () => (await stampsAbout(ledger, index)).toSorted().join() === expected, {
      what: `entry ${index} has the stamps ${expected}`,
    })

  test('has for each entry the earliest time stamp of each, and a path to its checkpoint', async () => {
    await using server = await openLedgerInstallation()
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    assert.equal(await ledger.files.proveStamps(0), undefined)
    for (const size of [1, 2, 3]) {
      await record(ledger, 1)
      await untilStamped(ledger, size - 1, `First ${size},Second ${size}`)
    }
    assert.deepEqual((await stampsAbout(ledger, 1)).toSorted(), ['First 2', 'Second 2'])
    const entries = await readEntriesBetween(openTileFolder(server.files), { from: 0, to: 3, size: 3 })
    for (const [index, entry] of entries.entries())
      for (const { checkpoint, path } of (await ledger.files.proveStamps(index)) ?? []) {
        const leaf = leafHash(entry, nodePrimitives)
        assert.ok(verifyInclusion({ ...checkpointIn(checkpoint), index, leaf, path }, nodePrimitives))
      }
    await using other = server.open()
    await other.start()
    assert.deepEqual((await stampsAbout(other, 0)).toSorted(), ['First 1', 'Second 1'])
  })

  test('is not stamped again without new entries, and neither by the next writer', async () => {
    await using server = await openLedgerInstallation()
    const clock = movableClock()
    const asked = { first: first.asked, second: second.asked }
    await using opening = new AsyncDisposableStack()
    const ledger = opening.use(server.open('test', clock, undefined, stampsOf([first, second])))
    await ledger.start()
    await record(ledger, 1)
    await untilStamped(ledger, 0, 'First 1,Second 1')
    const signedAt = checkpointIn((await ledger.files.readCheckpoint()) ?? '').time ?? ''
    clock.advance({ minutes: 11 })
    const isSignedAgain = async () => {
      const { time = '' } = checkpointIn((await ledger.files.readCheckpoint()) ?? '')
      return time > signedAt
    }
    for (const one of [first, second]) one.setTime(`${new Date(clock.now()).toISOString().slice(0, 19)}Z`)
    await eventually(isSignedAgain, { what: 'the checkpoint is signed again' })
    await ledger[Symbol.asyncDispose]()
    await using next = server.open('test', clock, undefined, stampsOf([first, second]))
    await next.start()
    await record(next, 1)
    await untilStamped(next, 1, 'First 2,Second 2')
    for (const one of [first, second]) one.setTime(undefined)
    assert.deepEqual(
      { first: first.asked, second: second.asked },
      { first: asked.first + 2, second: asked.second + 2 },
    )
  })

  test('records while one of them is away, says so, and has its stamp once it is back', async () => {
    await using server = await openLedgerInstallation()
    second.setAway(true)
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    await record(ledger, 1)
    await untilStamped(ledger, 0, 'First 1')
    const failures = () => (ledger.stamping?.states ?? []).map(({ name, failure }) => `${name}: ${failure}`)
    await eventually(() => failures().join() === 'First: undefined,Second: status 503', {
      what: 'it is seen to be away',
    })
    await record(ledger, 1)
    await untilStamped(ledger, 1, 'First 2')
    second.setAway(false)
    await untilStamped(ledger, 0, 'First 1,Second 2')
    await eventually(() => failures().join() === 'First: undefined,Second: undefined', {
      what: 'it is seen to be back',
    })
  })

  test('keeps no time stamp that is much older than its checkpoint', async () => {
    await using server = await openLedgerInstallation()
    second.setTime('2025-01-01T00:00:00Z')
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    await record(ledger, 1)
    await eventually(() => ledger.stamping?.states[1]?.failure !== undefined, { what: 'the time is refused' })
    assert.match(
      ledger.stamping?.states[1]?.failure ?? '',
      /it says 2025-01-01T00:00:00.000Z, but the checkpoint is of/,
    )
    await untilStamped(ledger, 0, 'First 1')
    second.setTime(undefined)
    await untilStamped(ledger, 0, 'First 1,Second 1')
  })

  for (const kind of ['postgres', 's3'] as const)
    test(`has its stamps where its files are: ${kind}`, { skip: kind === 's3' && noS3 }, async () => {
      await using server = await openLedgerInstallation(undefined, undefined, kind)
      await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
      await ledger.start()
      for (const size of [1, 2]) {
        await record(ledger, 1)
        await untilStamped(ledger, size - 1, `First ${size},Second ${size}`)
      }
    })
})

describe('an append', () => {
  test('does not wait for an authority that never answers, and neither does the end of the process', async () => {
    await using silent = await startSilent()
    await using known = await startStampServer('Known')
    await using server = await openLedgerInstallation()
    const asked = Promise.withResolvers<void>()
    const { authorities, everyMs } = stampsOf([{ url: silent.url, authority: known.authority }])
    const watched = authorities.map((one) => ({
      ...one,
      stamp(...given: Parameters<typeof one.stamp>) {
        asked.resolve()
        return one.stamp(...given)
      },
    }))
    const ledger = server.open('test', systemClock, undefined, { authorities: watched, everyMs })
    await ledger.start()
    await record(ledger, 1)
    await asked.promise
    await record(ledger, 2)
    await ledger[Symbol.asyncDispose]()
    assert.deepEqual(ledger.stamping?.states, [])
  })
})
