import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anyOf } from '../../ports/database/any-of.ts'
import { commitLater } from '../../ports/database/commit-later.ts'
import { DatabaseUnavailable } from '../../ports/database/database.ts'
import { preparingClient } from './preparing-client.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { openPoolOfOne } from '../../../test/recorded-statements.ts'

test('when a newer release changes a table, one call fails and the next one succeeds', async () => {
  await using database = await openTestDatabase({ migrated: false, maxConnections: 1 })
  const { query } = database
  await sql`create table plates (heat integer)`.execute(query)
  await sql`insert into plates values (1)`.execute(query)
  const read = async () => (await sql`select * from plates where heat = ${1}`.execute(query)).rows
  for (let time = 0; time < 8; time += 1) assert.deepEqual(await read(), [{ heat: 1 }])
  await sql`alter table plates add column weight integer default 2`.execute(query)
  await assert.rejects(read(), DatabaseUnavailable)
  assert.deepEqual(await read(), [{ heat: 1, weight: 2 }])
})

test('a pool of another library prepares its statements, and recovers when a table changes', async () => {
  await using database = await openTestDatabase({ migrated: false })
  const pool = openPoolOfOne(database, { Client: preparingClient() })
  await using _pool = { [Symbol.asyncDispose]: () => pool.end() }
  const prepared = async () =>
    (await pool.query({ text: 'select statement from pg_prepared_statements order by prepare_time' })).rows
  await pool.query('create table plates (heat integer); insert into plates values (1)')
  const read = 'select * from plates where heat = $1'
  for (let time = 0; time < 8; time += 1) assert.deepEqual((await pool.query(read, [1])).rows, [{ heat: 1 }])
  assert.deepEqual((await pool.query('select * from plates')).rows, [{ heat: 1 }])
  assert.deepEqual(await prepared(), [{ statement: read }, { statement: 'select * from plates' }])
  await pool.query('alter table plates add column weight integer default 2')
  await assert.rejects(pool.query(read, [1]), /cached plan/)
  assert.deepEqual((await pool.query(read, [1])).rows, [{ heat: 1, weight: 2 }])
})

test('a statement that commits later does not affect the durability of the next one on its connection', async () => {
  await using database = await openTestDatabase({ migrated: false, maxConnections: 1 })
  const { query } = database
  const settingOf = async () =>
    (await sql<{ synchronousCommit: string }>`show synchronous_commit`.execute(query)).rows[0]
      ?.synchronousCommit
  await sql`set synchronous_commit to 'on'`.execute(query)
  await sql`create table plates (heat integer)`.execute(query)
  const { rows } = await sql<{
    commit: string
  }>`insert into plates values (${1}) returning ${commitLater} as commit`.execute(query)
  assert.deepEqual(rows, [{ commit: 'off' }])
  assert.equal(await settingOf(), 'on')
})

test('a look-up of one id keeps its plan', async () => {
  await using database = await openTestDatabase({ maxConnections: 1 })
  const { query } = database
  const find = (ids: readonly string[]) =>
    sql`select name from companies where id ${anyOf(ids)}`.execute(query)
  for (let time = 0; time < 8; time += 1) {
    await find([randomUUID()])
    await find([randomUUID(), randomUUID()])
  }
  const { rows } = await sql<{ plans: number[] }>`
    select array[generic_plans, custom_plans]::integer[] as plans from pg_prepared_statements
    where statement like '%from companies%' order by statement like '%any(%'`.execute(query)
  assert.deepEqual(rows[0]?.plans, [3, 5])
  assert.deepEqual((await find([])).rows, [])
})
