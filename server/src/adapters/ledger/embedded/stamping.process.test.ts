import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { checkpointIn, leafHash, splitNote, verifyInclusion, verifyStamp } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { record } from '../../../../test/cosigned-log.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { sizeOf } from '../../../../test/log-size.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { lacksS3 } from '../../../../test/s3-server.ts'
import { startSilent } from '../../../../test/silent-server.ts'
import { type StampServer, startStampServer } from '../../../../test/stamp-server.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { createRfc3161Http } from '../../stamp-authority/rfc3161-http.ts'
import type { EmbeddedLedger } from './embedded.ts'
import type { LogStamps } from './stamping.ts'
import { readEntriesBetween } from './read-entries.ts'
import { appendStamps } from './stamp-files.ts'
import { openTileFolder } from './tile-folder.ts'

const noS3 = await lacksS3()
const timeoutMs = 60_000

/** Rounds follow each other at once: nothing here depends on how long one takes. */
const stampsOf = (servers: readonly Pick<StampServer, 'url' | 'authority'>[]): LogStamps => ({
  authorities: servers.map(({ url, authority }) => createRfc3161Http({ url, authority, timeoutMs })),
  everyMs: 20,
})

/** `index`: of its transaction. `size`: of the checkpoint with it and its state leaf. */
const recordOne = async (
  ledger: EmbeddedLedger,
  server: LedgerInstallation,
): Promise<{ readonly index: number; readonly size: number }> => {
  await record(ledger, 1)
  const size = await sizeOf(server)
  return { index: size - 2, size }
}

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
    const stamped: { readonly index: number; readonly stamps: string }[] = []
    for (let round = 0; round < 3; round += 1) {
      const { index, size } = await recordOne(ledger, server)
      const stamps = `First ${size},Second ${size}`
      await untilStamped(ledger, index, stamps)
      stamped.push({ index, stamps })
    }
    for (const { index, stamps } of stamped) await untilStamped(ledger, index, stamps)
    const size = await sizeOf(server)
    const entries = await readEntriesBetween(openTileFolder(server.files), { from: 0, to: size, size })
    for (const [index, entry] of entries.entries())
      for (const { checkpoint, path } of (await ledger.files.proveStamps(index)) ?? []) {
        const leaf = leafHash(entry, nodePrimitives)
        assert.ok(verifyInclusion({ ...checkpointIn(checkpoint), index, leaf, path }, nodePrimitives))
      }
    await using other = server.open()
    await other.start()
    for (const { index, stamps } of stamped) await untilStamped(other, index, stamps)
  })

  test('is not stamped again without new entries, and neither by the next writer', async () => {
    await using server = await openLedgerInstallation()
    const clock = movableClock()
    const asked = { first: first.asked, second: second.asked }
    await using opening = new AsyncDisposableStack()
    const ledger = opening.use(server.open('test', clock, undefined, stampsOf([first, second])))
    await ledger.start()
    const { index, size } = await recordOne(ledger, server)
    await untilStamped(ledger, index, `First ${size},Second ${size}`)
    await ledger[Symbol.asyncDispose]()
    const next = opening.use(server.open('test', clock, undefined, stampsOf([first, second])))
    await next.start()
    const later = await recordOne(next, server)
    await untilStamped(next, later.index, `First ${later.size},Second ${later.size}`)
    // An idle day ends with a state leaf, which is an entry.
    clock.advance({ days: 1 })
    for (const one of [first, second]) one.setTime(`${new Date(clock.now()).toISOString().slice(0, 19)}Z`)
    await untilStamped(next, later.size, `First ${later.size + 1},Second ${later.size + 1}`)
    for (const one of [first, second]) one.setTime(undefined)
    assert.deepEqual(
      { first: first.asked, second: second.asked },
      { first: asked.first + 3, second: asked.second + 3 },
    )
  })

  test('records while one of them is away, says so, and has its stamp once it is back', async () => {
    await using server = await openLedgerInstallation()
    second.setAway(true)
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    const one = await recordOne(ledger, server)
    await untilStamped(ledger, one.index, `First ${one.size}`)
    const failures = () => (ledger.stamping?.states ?? []).map(({ name, failure }) => `${name}: ${failure}`)
    await eventually(() => failures().join() === 'First: undefined,Second: status 503', {
      what: 'it is seen to be away',
    })
    const two = await recordOne(ledger, server)
    await untilStamped(ledger, two.index, `First ${two.size}`)
    second.setAway(false)
    await untilStamped(ledger, one.index, `First ${one.size},Second ${two.size}`)
    await eventually(() => failures().join() === 'First: undefined,Second: undefined', {
      what: 'it is seen to be back',
    })
  })

  test('keeps no time stamp that is much older than its checkpoint', async () => {
    await using server = await openLedgerInstallation()
    second.setTime('2025-01-01T00:00:00Z')
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    const { index, size } = await recordOne(ledger, server)
    await eventually(() => ledger.stamping?.states[1]?.failure !== undefined, { what: 'the time is refused' })
    assert.match(
      ledger.stamping?.states[1]?.failure ?? '',
      /it says 2025-01-01T00:00:00.000Z, but the checkpoint is of/,
    )
    await untilStamped(ledger, index, `First ${size}`)
    second.setTime(undefined)
    await untilStamped(ledger, index, `First ${size},Second ${size}`)
  })

  test('proves no stamp of a checkpoint that is not one of this log', async () => {
    await using server = await openLedgerInstallation()
    await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
    await ledger.start()
    const { index, size } = await recordOne(ledger, server)
    await untilStamped(ledger, index, `First ${size},Second ${size}`)
    const [origin, , , ...lines] = ((await ledger.files.readCheckpoint()) ?? '').split('\n')
    const checkpoint = [origin, String(size), Buffer.alloc(32).toString('base64'), ...lines].join('\n')
    await appendStamps(server.files, [{ authority: 'Third', checkpoint, token: Uint8Array.of(0x30, 0) }])
    assert.deepEqual((await stampsAbout(ledger, index)).toSorted(), [`First ${size}`, `Second ${size}`])
  })

  for (const kind of ['postgres', 's3'] as const)
    test(`has its stamps where its files are: ${kind}`, { skip: kind === 's3' && noS3 }, async () => {
      await using server = await openLedgerInstallation(undefined, undefined, kind)
      await using ledger = server.open('test', systemClock, undefined, stampsOf([first, second]))
      await ledger.start()
      for (let round = 0; round < 2; round += 1) {
        const { index, size } = await recordOne(ledger, server)
        await untilStamped(ledger, index, `First ${size},Second ${size}`)
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
