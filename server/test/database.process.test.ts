import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from './database.ts'
import { nodeEnvironment } from './node-environment.ts'

describe('a test database', () => {
  test('is migrated, empty and separate from all others', async () => {
    await using one = await openTestDatabase()
    await using two = await openTestDatabase()
    await sql`insert into rate_limits values ('me', 'bucket', now(), 1)`.execute(one.query)
    assert.equal((await sql`select from rate_limits`.execute(one.query)).rows.length, 1)
    assert.equal((await sql`select from rate_limits`.execute(two.query)).rows.length, 0)
  })

  test('is dropped when its test ends', async () => {
    await using other = await openTestDatabase()
    const used = await openTestDatabase()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(used.query)
    await used[Symbol.asyncDispose]()
    const { rows: left } = await sql`select from pg_database where datname = ${rows[0]?.name}`.execute(
      other.query,
    )
    assert.equal(left.length, 0)
  })

  test('works for a file that runs alone, and closes before its cluster', async () => {
    const file = join(import.meta.dirname, '../src/http/no-store.test.ts')
    const child = spawn(process.execPath, [file], {
      env: nodeEnvironment(),
      stdio: 'ignore',
    })
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })
})
