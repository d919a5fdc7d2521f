import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { sizeOf } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

const mill = makeLedgerSigner()
const entries = 300

/** All paths below a folder, and the bytes of all files. */
const contentOf = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const content = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    content.set(path, entry.isFile() ? await readFile(path, 'base64') : 'folder')
  }
  return content
}

describe('a start of the embedded ledger that is refused', () => {
  let server: LedgerInstallation
  let [untouched, older] = ['', '']
  /** Of the log, and of its older copy. */
  let [size, olderSize] = [0, 0]
  before(async () => {
    server = await openLedgerInstallation()
    untouched = `${server.folder}.untouched`
    older = `${server.folder}.older`
    await submit(entries - 1)
    await cp(server.folder, older, { recursive: true })
    olderSize = await sizeOf(server)
    await submit(1)
    size = await sizeOf(server)
    // What a writer that was killed leaves behind.
    await cp(older, join(server.folder, 'writer.killed'), { recursive: true })
    await writeFile(join(server.folder, 'blocks'), `9 ${size} 1 2026-01-01T00:00:00.000Z\n9`, { flag: 'a' })
    await cp(server.folder, untouched, { recursive: true })
  })
  after(() => server[Symbol.asyncDispose]())

  const submit = async (count: number): Promise<void> => {
    await using ledger = server.open()
    await ledger.start()
    const all = Array.from({ length: count }, () => mill.create(certificateAsset()))
    await Promise.all(all.map((transaction) => ledger.submit(transaction)))
  }
  const restore = async (): Promise<void> => {
    await rm(server.folder, { recursive: true, force: true })
    await cp(untouched, server.folder, { recursive: true })
  }
  const flip = async (path: string, at: number): Promise<void> => {
    const bytes = await readFile(join(server.folder, path))
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(join(server.folder, path), bytes)
  }

  const refusals: Readonly<
    Record<string, { change: () => Promise<unknown>; reason: RegExp | (() => RegExp) }>
  > = {
    'an older checkpoint': {
      change: async () =>
        writeFile(join(server.folder, 'checkpoint'), await readFile(join(older, 'checkpoint'))),
      reason: () => new RegExp(`has ${size} entries, but the checkpoint on disk has ${olderSize}:`),
    },
    'no checkpoint': {
      change: () => rm(join(server.folder, 'checkpoint')),
      reason: () => new RegExp(`has ${size} entries, but the checkpoint on disk has 0:`),
    },
    'no folder': {
      change: () => rm(server.folder, { recursive: true }),
      reason: () => new RegExp(`has ${size} entries, but the checkpoint on disk has 0:`),
    },
    'the folder of another log': {
      change: () => writeFile(join(server.folder, 'vkey'), 'other.example/ledger/test+00000000+AAAA\n'),
      reason: /contains the log other\.example/,
    },
    'a damaged checkpoint': {
      change: () => flip('checkpoint', 40),
      reason: /checkpoint on disk was not signed/,
    },
    'a damaged tile': {
      change: () => flip(`tile/0/001.p/${size - 256}`, 7),
      reason: /tiles are not the tree/,
    },
    'a damaged full tile': {
      change: () => flip('tile/0/000', 7),
      reason: /Tile 0 of level 0|is not the one in/,
    },
    'a damaged entry': { change: () => flip('tile/entries/000', 70), reason: /is not the one in the tree/ },
    'a missing bundle': { change: () => rm(join(server.folder, 'tile/entries/000')), reason: /is missing/ },
    'a missing line of blocks': {
      change: async () => {
        const lines = (await readFile(join(server.folder, 'blocks'), 'utf8')).split('\n')
        await writeFile(join(server.folder, 'blocks'), lines.toSpliced(1, 1).join('\n'))
      },
      reason: /has a gap|has no block/,
    },
    'no blocks': { change: () => rm(join(server.folder, 'blocks')), reason: /has no block with entry/ },
  }
  for (const [what, { change, reason }] of Object.entries(refusals)) {
    test(`leaves the folder byte for byte as it was: ${what}`, async () => {
      await change()
      const original = await contentOf(join(server.folder, '..'))
      const wanted = typeof reason === 'function' ? reason() : reason
      await assert.rejects(submit(0), (error) => error instanceof LedgerDamaged && wanted.test(error.message))
      assert.deepEqual(await contentOf(join(server.folder, '..')), original)
      await restore()
    })
  }

  test('leaves the folder byte for byte as it was: an index that is ahead', async () => {
    const { query } = server.database
    await sql`insert into ledger_blocks values ('test', 99, ${size}, 1, now())`.execute(query)
    const original = await contentOf(server.folder)
    await assert.rejects(
      submit(0),
      new RegExp(`has ${size + 1} entries, but the checkpoint on disk has ${size}:`),
    )
    assert.deepEqual(await contentOf(server.folder), original)
    await sql`delete from ledger_blocks where height = 99`.execute(query)
  })

  test('leaves the folder byte for byte as it was: a clock that is behind the newest time', async () => {
    const clock = movableClock()
    clock.advance({ minutes: -2 })
    const original = await contentOf(join(server.folder, '..'))
    await using ledger = server.open('test', clock)
    await ledger.start()
    await assert.rejects(ledger.submit(mill.create(certificateAsset())), /behind the newest time/)
    assert.deepEqual(await contentOf(join(server.folder, '..')), original)
  })

  test('succeeds after the cause is repaired, and appends to the same log', async () => {
    await rm(join(server.folder, 'checkpoint'))
    await assert.rejects(submit(0), LedgerDamaged)
    await restore()
    await submit(1)
    assert.equal(await sizeOf(server), size + 2)
    assert.equal((await readdir(server.folder)).filter((name) => name.startsWith('writer.')).length, 0)
  })
})
