import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eraseEventsBefore } from './event-records.store.ts'
import { eraseAll, eraseBatch } from '../../../lib/erase.ts'

const many = 2 * eraseBatch + 500

describe('retention after an outage', () => {
  test('erases in statements of a batch each, and goes on where a stopped one ended', async () => {
    await using database = await openTestDatabase()
    const { query } = database
    const old = new Date('2024-01-01')
    await sql`
      insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at, dispatched_at, published_at)
      select gen_random_uuid(), 'company', gen_random_uuid(), 'test', 'certificates', 'created', '', ${old}, ${old}, ${old}
      from generate_series(1, ${many}::int)`.execute(query)
    const left = async () =>
      Number((await sql<{ n: string }>`select count(*) as n from outbox`.execute(query)).rows[0]?.n)
    const stop = new AbortController()
    const eraseSome = async () => {
      stop.abort()
      return eraseEventsBefore(query, new Date())
    }
    await eraseAll(eraseSome, stop.signal)
    assert.equal(await left(), many - eraseBatch)
    await eraseAll(() => eraseEventsBefore(query, new Date()), new AbortController().signal)
    assert.equal(await left(), 0)
  })
})
