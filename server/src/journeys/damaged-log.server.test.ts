import assert from 'node:assert/strict'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { openTestDatabase } from '../../test/database.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'
import type { Database } from '../ports/database/database.ts'

const mill = makeLedgerSigner()
/** More than the server remembers, so that the first ones are read from disk. */
const count = 1_300

describe('a log that is damaged while the server runs', () => {
  let database: Database
  let server: TestServer
  let transactions: SignedTransaction[]
  before(async () => {
    database = await openTestDatabase()
    server = await startOwnServer({
      databaseUrl: addressOf(database),
      environment: { MILLSEAL_FILES: 'folder' },
    })
    transactions = Array.from({ length: count }, () => mill.create(certificateAsset()))
    for (let at = 0; at < count; at += 100) await Promise.all(transactions.slice(at, at + 100).map(record))
    // Reading in order makes the server forget the first ones.
    for (let at = 0; at < count; at += 100)
      await Promise.all(transactions.slice(at, at + 100).map((one) => read(`transactions/${one.id}`)))
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const base = () => `${server.url}/ledger/test`
  const record = async (transaction: SignedTransaction): Promise<void> => {
    const response = await fetch(`${base()}/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transaction),
    })
    assert.equal(response.status, 202, await response.text())
  }
  const get = async (url: string) => {
    const response = await fetch(url)
    return { status: response.status, text: await response.text() }
  }
  const read = (path: string) => get(`${base()}/api/v1/${path}`)
  const prove = (at: number) => get(`${server.url}/api/certificates/proof/${hashOf(at)}?mode=test`)
  const hashOf = (at: number): string => {
    const transaction = transactions[at]
    assert.ok(transaction?.operation === 'CREATE')
    const hash = transaction.asset.data?.['jsonHash']
    assert.ok(typeof hash === 'string')
    return hash
  }
  const file = (path: string): string => join(server.config.dataDir, 'ledger', 'test', path)
  const whileChanged = async (path: string, act: () => Promise<void>): Promise<void> => {
    const bytes = await readFile(file(path))
    const changed = Buffer.from(bytes)
    changed[70] = (changed[70] ?? 0) ^ 1
    await writeFile(file(path), changed)
    try {
      await act()
    } finally {
      await writeFile(file(path), bytes)
    }
  }
  const assertStopped = ({ status, text }: { status: number; text: string }, named: RegExp): void => {
    assert.equal(status, 503, text)
    assert.match(text, /The test log is damaged: /)
    assert.match(text, named)
  }
  const idOf = (at: number): string => transactions[at]?.id ?? ''

  test('answers 503 and names a damaged tile; what does not need it is answered, and all of it after the repair', async () => {
    // The changed byte belongs to the hash of the third entry, which only proofs of the others contain.
    const third = await database.query
      .selectFrom('ledgerEntries')
      .select(sql<string>`encode(id, 'hex')`.as('id'))
      .where('mode', '=', 'test')
      .where('index', '=', 2)
      .executeTakeFirstOrThrow()
    const other = third.id === idOf(3) ? 4 : 3
    await whileChanged('tile/0/000', async () => {
      assertStopped(await prove(other), /tile\/0\/000 is not the tree of what is below it/)
      assert.equal((await read(`transactions/${idOf(other)}`)).status, 200)
      assert.equal((await prove(700)).status, 200)
    })
    assert.equal((await prove(other)).status, 200)
  })

  test('answers 503 and names a damaged entry bundle; entries of others are answered', async () => {
    await whileChanged('tile/entries/000', async () => {
      const damaged = await Promise.all(transactions.slice(0, 3).map(({ id }) => read(`transactions/${id}`)))
      assertStopped(
        damaged.find(({ status }) => status !== 200) ?? assert.fail('found'),
        /tile\/entries\/000/,
      )
      assert.equal((await read(`transactions/${idOf(700)}`)).status, 200)
      assert.equal((await prove(700)).status, 200)
    })
    assert.equal((await read(`transactions/${idOf(0)}`)).status, 200)
  })

  test('answers 503 and names a missing file', async () => {
    await rename(file('tile/entries/001'), file('tile/entries/away'))
    assertStopped(await read(`transactions/${idOf(300)}`), /tile\/entries\/001 is missing/)
    await rename(file('tile/entries/away'), file('tile/entries/001'))
    assert.equal((await read(`transactions/${idOf(300)}`)).status, 200)
  })

  test('answers 503 and names the row of a changed index', async () => {
    const move = (bytes: number) =>
      sql`
        update ledger_entries set bundle_offset = bundle_offset + ${bytes}
        where mode = 'test' and id = decode(${idOf(9)}, 'hex')`.execute(database.query)
    await move(1)
    assertStopped(
      await read(`transactions/${idOf(9)}`),
      /index in the database has a wrong place for entry \d+/,
    )
    await move(-1)
    assert.equal((await read(`transactions/${idOf(9)}`)).status, 200)
  })

  test('answers 503 for proofs and tiles if the checkpoint is damaged, and finds entries', async () => {
    await whileChanged('checkpoint', async () => {
      assertStopped(await prove(701), /checkpoint/)
      assert.equal((await read(`transactions/${idOf(701)}`)).status, 200)
    })
    assert.equal((await prove(701)).status, 200)
  })
})
