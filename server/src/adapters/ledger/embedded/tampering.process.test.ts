import assert from 'node:assert/strict'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { sizeOf } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const entries = 300

describe('a ledger that was tampered with', () => {
  let server: LedgerInstallation
  let untouched: string
  /** Of the log, with its state leaves. */
  let size = 0
  before(async () => {
    server = await openLedgerInstallation()
    await using ledger = server.open()
    await ledger.start()
    const created = Array.from({ length: entries - 1 }, () =>
      mill.create(certificateAsset(), { note: 'heat 4711' }),
    )
    await Promise.all(created.map((transaction) => ledger.submit(transaction)))
    const [first] = created
    assert.ok(first)
    await ledger.submit(mill.transfer(first, makeLedgerSigner().publicKey))
    untouched = `${server.folder}.untouched`
    size = await sizeOf(server)
  })
  after(() => server[Symbol.asyncDispose]())

  const verify = () =>
    verifyLog({ files: server.files, index: createIndexReader(server.database.query, 'test') })
  const start = async (): Promise<void> => {
    await using ledger = server.open()
    await ledger.start()
  }
  /** The start and the verification must detect it, and both must succeed again once it is undone. */
  const assertFound = async (reason: RegExp): Promise<void> => {
    const { problems } = await verify()
    assert.match(problems.join('\n'), reason)
    await assert.rejects(start(), (error) => error instanceof LedgerDamaged && reason.test(error.message))
  }
  const assertIntact = async (): Promise<void> => {
    assert.deepEqual((await verify()).problems, [])
    await start()
  }

  test('is intact before', assertIntact)

  const rows: Readonly<
    Record<string, { change: RawBuilder<unknown>; undo: () => RawBuilder<unknown>; reason: RegExp }>
  > = {
    'the hash of a certificate': {
      change: sql`update ledger_entries set json_hash = pdf_hash where index = 7`,
      undo: () =>
        sql`update ledger_entries set json_hash = (select k.json_hash from kept k where k.index = 7) where index = 7`,
      reason: /index of entries differs from the log: it has \{"index":7/,
    },
    'a missing row': {
      change: sql`delete from ledger_entries where index = 12`,
      undo: () => sql`insert into ledger_entries select * from kept where index = 12`,
      reason: /index of entries differs/,
    },
    'the owner of an output': {
      change: sql`update ledger_outputs set public_keys = array['nobody'] where index = 3`,
      undo: () => sql`update ledger_outputs set public_keys = array[${mill.publicKey}] where index = 3`,
      reason: /index of outputs differs/,
    },
    'an unspent output marked as spent': {
      change: sql`update ledger_outputs set spent_by = 250 where index = 4`,
      undo: () => sql`update ledger_outputs set spent_by = null where index = 4`,
      reason: /outputs that entries spend differs/,
    },
    'a spent output marked as unspent': {
      change: sql`update ledger_outputs set spent_by = null where index = 0`,
      undo: () => sql`update ledger_outputs set spent_by = ${size - 2} where index = 0`,
      reason: /outputs that entries spend differs/,
    },
    'the row of a state leaf': {
      change: sql`update ledger_entries set operation = 'CREATE' where operation = 'STATE'`,
      undo: () =>
        sql`update ledger_entries set operation = 'STATE' where index in (select index from kept where operation = 'STATE')`,
      reason: /index of entries differs/,
    },
    'the time of a block': {
      change: sql`update ledger_blocks set committed_at = committed_at - interval '1 day' where height = 1`,
      undo: () =>
        sql`update ledger_blocks set committed_at = committed_at + interval '1 day' where height = 1`,
      reason: /index of blocks differs/,
    },
  }
  for (const [what, { change, undo, reason }] of Object.entries(rows)) {
    test(`in the database is detected at the start and by verification: ${what}`, async () => {
      await sql`create table if not exists kept as select * from ledger_entries`.execute(
        server.database.query,
      )
      await change.execute(server.database.query)
      try {
        await assertFound(reason)
      } finally {
        await undo().execute(server.database.query)
      }
      await assertIntact()
    })
  }

  const files = {
    'an entry': {
      path: 'tile/entries/000',
      reason: /Entry \d+ is not|does not contain|not valid at its position/,
    },
    'an entry of the last bundle': {
      path: 'tile/entries/001.p',
      reason: /Entry \d+ is not|does not contain/,
    },
    'a tile': { path: 'tile/0/000', reason: /Entry \d+ is not the one in|Tile 0 of level 0 is not/ },
    'the last tile': { path: 'tile/0/001.p', reason: /tiles are not the tree|Entry \d+ is not the one/ },
    'a tile above': {
      path: 'tile/1/000.p/1',
      reason: /tiles are not the tree|not the tree of the tiles below/,
    },
    'the checkpoint': { path: 'checkpoint', reason: /checkpoint/i },
    'the journal of blocks': { path: 'blocks', reason: /blocks/ },
  }
  for (const [what, { path, reason }] of Object.entries(files)) {
    test(`on disk is detected at the start and by verification: one bit of ${what}`, async () => {
      // The last tile is as wide as there are entries in it.
      const file = join(server.folder, path, path.endsWith('001.p') ? String(size % 256) : '')
      await cp(server.folder, untouched, { recursive: true })
      const bytes = await readFile(file)
      const at = path === 'checkpoint' ? 40 : Math.floor(bytes.length / 2)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(file, bytes)
      try {
        await assertFound(reason)
      } finally {
        await rm(server.folder, { recursive: true })
        await rename(untouched, server.folder)
      }
      await assertIntact()
    })
  }

  test('is detected at the start and by verification: another time in both the index and the journal of blocks', async () => {
    const file = join(server.folder, 'blocks')
    const original = await readFile(file, 'utf8')
    const [, time = ''] = /^1 0 \d+ (\S+)$/m.exec(original) ?? []
    const earlier = new Date(Date.parse(time) - 86_400_000)
    const set = (committedAt: Date) =>
      sql`update ledger_blocks set committed_at = ${committedAt} where height = 1`.execute(
        server.database.query,
      )
    await writeFile(file, original.replace(time, earlier.toISOString()))
    await set(earlier)
    try {
      await assertFound(/file "blocks" has another time for entry 0 than the entry itself/)
    } finally {
      await writeFile(file, original)
      await set(new Date(time))
    }
    await assertIntact()
  })

  test('does not start on a folder that is older than the database', async () => {
    await cp(server.folder, untouched, { recursive: true })
    await using ledger = server.open()
    await ledger.start()
    await ledger.submit(mill.create(certificateAsset()))
    await ledger[Symbol.asyncDispose]()
    await rm(server.folder, { recursive: true })
    await rename(untouched, server.folder)
    await assert.rejects(
      start(),
      new RegExp(`has ${size + 2} entries, but the checkpoint on disk has ${size}:`),
    )
  })
})
