import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { generousDeadline, onceItWorks } from '../../../test/eventually.ts'
import { type Database, DatabaseUnavailable } from './database.ts'

export interface DatabaseSubject extends AsyncDisposable {
  readonly database: Database
  /** Kills the database server as `kill -9` does, and resolves when it is gone. */
  crash(): Promise<void>
  /** Restarts it if it does not restart by itself. */
  revive(): Promise<void>
}

export const suiteMaxConnections = 4

type Tables = {
  suite: { id: number; text: string }
}

/** The guarantees of every adapter. `start` opens an empty database with `suiteMaxConnections`. */
export function describeDatabase(adapter: string, start: () => Promise<DatabaseSubject>): void {
  describe(`the database, ${adapter}`, () => {
    const subject = startedBefore(start)
    test('stores the writes of a transaction that resolved', async () => {
      const { database } = subject()
      await database.transaction((tx) => insert(tx.withTables<Tables>(), 1))
      assert.deepEqual(await textsOf(database, 1), ['row 1'])
    })
    test('stores nothing of a transaction that rejected, and rejects with the same error', async () => {
      const { database } = subject()
      const mine = new Error('mine')
      const failing = database.transaction(async (tx) => {
        await insert(tx.withTables<Tables>(), 2)
        throw mine
      })
      await assert.rejects(failing, (error) => error === mine)
      assert.deepEqual(await textsOf(database, 2), [])
    })
    test('rejects a transaction in which the error of a statement was ignored', async () => {
      const { database } = subject()
      const failing = database.transaction(async (tx) => {
        await insert(tx.withTables<Tables>(), 3)
        await sql`select 1 / 0`.execute(tx).catch(() => {})
      })
      await assert.rejects(failing)
      assert.deepEqual(await textsOf(database, 3), [])
    })
    test('does not report an error in a statement as an unavailable database', async () => {
      const { database } = subject()
      await assert.rejects(
        sql`select 1 / 0`.execute(database.query),
        (error) => !(error instanceof DatabaseUnavailable),
      )
    })
    describeValues(subject)
    describeLoss(subject)
    describeDeadlines(subject)
  })
}

function startedBefore(start: () => Promise<DatabaseSubject>): () => DatabaseSubject {
  let subject: DatabaseSubject | undefined
  before(async () => {
    subject = await start()
    await sql`create table suite (id int primary key, text text not null)`.execute(subject.database.query)
  })
  after(async () => await subject?.[Symbol.asyncDispose]())
  return () => {
    assert.ok(subject)
    return subject
  }
}

function describeValues(subject: () => DatabaseSubject): void {
  test('returns a bigint as a number and rejects one that does not fit', async () => {
    const { query } = subject().database
    const { rows } =
      await sql`select 9007199254740991::bigint as n, count(*) as c from generate_series(1, 3)`.execute(query)
    assert.deepEqual(rows, [{ n: Number.MAX_SAFE_INTEGER, c: 3 }])
    await assert.rejects(sql`select 9007199254740993::bigint`.execute(query), RangeError)
    assert.equal((await sql`select 1`.execute(query)).rows.length, 1)
  })
  test('returns a date as text, an instant as a Date, and bytes as bytes', async () => {
    const { rows } = await sql`
      select date '2026-03-29' as day, timestamptz '2026-03-29 00:00:00+00' as instant, '\\x00ff'::bytea as bytes
    `.execute(subject().database.query)
    assert.deepEqual(rows, [
      { day: '2026-03-29', instant: new Date('2026-03-29T00:00:00Z'), bytes: Buffer.from([0, 255]) },
    ])
  })
}

function describeLoss(subject: () => DatabaseSubject): void {
  test('fails a statement with DatabaseUnavailable if its connection is lost, and reconnects for the next one', async () => {
    const { database } = subject()
    const failing = assert.rejects(sql`select pg_sleep(20)`.execute(database.query), DatabaseUnavailable)
    await endSessions(database, 'select pg_sleep(20)')
    await failing
    await database.check(generousDeadline())
  })
  test('survives a connection lost between two statements, and rejects with the error of the caller', async () => {
    const { database } = subject()
    const mine = new Error('mine')
    const failing = database.transaction(async (tx) => {
      await sql`select 'between statements'`.execute(tx)
      await endSessions(database, `select 'between statements'`)
      await assert.rejects(sql`select 1`.execute(tx), DatabaseUnavailable)
      throw mine
    })
    await assert.rejects(failing, (error) => error === mine)
    await database.check(generousDeadline())
  })
  test('loses no acknowledged write if the database server is killed, and works again after its restart', async () => {
    const { database, crash, revive } = subject()
    await insert(database.query.withTables<Tables>(), 4)
    await database.transaction((tx) => insert(tx.withTables<Tables>(), 5))
    const inFlight = assert.rejects(
      database.transaction(async (tx) => {
        await insert(tx.withTables<Tables>(), 6)
        await sql`select pg_sleep(20)`.execute(tx)
      }),
      DatabaseUnavailable,
    )
    await sessionsRunning(database, 'select pg_sleep(20)')
    await crash()
    await inFlight
    await revive()
    await onceItWorks(() => database.check(AbortSignal.timeout(2_000)))
    assert.deepEqual(await textsOf(database, 4, 5, 6), ['row 4', 'row 5'])
  })
}

function describeDeadlines(subject: () => DatabaseSubject): void {
  test('reports within the deadline that it does not answer, repeatedly, and recovers', async () => {
    const { database } = subject()
    const gate = Promise.withResolvers<void>()
    const busy = Array.from({ length: suiteMaxConnections }, () => database.transaction(() => gate.promise))
    for (let round = 0; round < suiteMaxConnections + 1; round++) {
      await assert.rejects(database.check(AbortSignal.timeout(100)), DatabaseUnavailable)
    }
    gate.resolve()
    await Promise.all(busy)
    await database.check(generousDeadline())
  })
  test('reports a lock that was not released in time, and a statement that took too long, as an unavailable database', async () => {
    const { database } = subject()
    await database.transaction((tx) => insert(tx.withTables<Tables>(), 60))
    await database.transaction(async (tx) => {
      await sql`select 1 from suite where id = 60 for update`.execute(tx)
      const waiting = database.transaction(async (other) => {
        await sql`set local lock_timeout = '20ms'`.execute(other)
        await sql`select 1 from suite where id = 60 for update`.execute(other)
      })
      await assert.rejects(waiting, DatabaseUnavailable)
      const impatient = sql`select 1 from suite where id = 60 for update nowait`.execute(database.query)
      await assert.rejects(impatient, (error) => !(error instanceof DatabaseUnavailable))
    })
    const slow = database.transaction(async (tx) => {
      await sql`set local statement_timeout = '20ms'`.execute(tx)
      await sql`select pg_sleep(60)`.execute(tx)
    })
    await assert.rejects(slow, DatabaseUnavailable)
  })
  test('limits the time of statements, locks and idle transactions', async () => {
    const { rows } = await sql`
      select name, setting::int as ms from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name
    `.execute(subject().database.query)
    assert.deepEqual(rows, [
      { name: 'idle_in_transaction_session_timeout', ms: 60_000 },
      { name: 'lock_timeout', ms: 10_000 },
      { name: 'statement_timeout', ms: 30_000 },
    ])
  })
}

type SuiteQuery = ReturnType<typeof tablesOf>
const tablesOf = (database: Database) => database.query.withTables<Tables>()

async function insert(query: Pick<SuiteQuery, 'insertInto'>, id: number): Promise<void> {
  await query
    .insertInto('suite')
    .values({ id, text: `row ${id}` })
    .execute()
}

async function textsOf(database: Database, ...ids: number[]): Promise<string[]> {
  const rows = await tablesOf(database)
    .selectFrom('suite')
    .select('text')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ text }) => text)
}

async function sessionsRunning(database: Database, statement: string): Promise<number[]> {
  return await onceItWorks(async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where query = ${statement} and pid <> pg_backend_pid()`.execute(
      database.query,
    )
    assert.notEqual(rows.length, 0)
    return rows.map(({ pid }) => pid)
  })
}

async function endSessions(database: Database, statement: string): Promise<void> {
  for (const pid of await sessionsRunning(database, statement)) {
    await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.query)
  }
}
