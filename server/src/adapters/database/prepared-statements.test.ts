import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DatabaseUnavailable } from '../../ports/database/database.ts'
import { openTestDatabase } from '../../../test/database.ts'

test('a table that a newer release changes costs a connection one call, and is read anew', async () => {
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
