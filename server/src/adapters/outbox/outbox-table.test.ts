import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../ports/database/database.ts'
import type { OutboxEvent } from '../../ports/outbox/outbox.ts'
import { createOutbox } from './outbox-table.ts'
import { noTracer } from '../../ports/tracer/tracer.ts'

const clock = { time: Date.UTC(2026, 1, 3, 4, 5, 6, 789), now: () => clock.time, steady: () => clock.time }
const outbox = createOutbox({ clock, tracer: noTracer })

const changed = (owner: OutboxEvent['owner'], payload: object): OutboxEvent => ({
  owner,
  mode: 'live',
  resource: 'companies',
  action: 'update_one',
  payload,
})

type Row = { id: string; sequence: number; payload: Buffer; occurredAt: Date; topic: string }

const rowsOf = async ({ query }: Database): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select id, sequence, payload, occurred_at, concat_ws('/', owner_kind, owner_id, mode, resource, action) as topic
    from outbox order by sequence`.execute(query)
  return rows
}

describe('the outbox', () => {
  test('stores an event under the returned id, as the bytes of its sorted JSON, with the time of the clock', async () => {
    await using database = await openTestDatabase()
    const owner = { kind: 'company', id: randomUUID() } as const
    const payload = { b: 'Grüße ✓', a: [1, { 10: 'x', 9: 'y' }] }
    const id = await database.transaction((tx) => outbox.write(tx, changed(owner, payload)))
    const [row, ...others] = await rowsOf(database)
    assert.equal(row?.id, id)
    assert.equal(row.payload.toString('utf8'), '{"a":[1,{"9":"y","10":"x"}],"b":"Grüße ✓"}')
    assert.equal(row.occurredAt.getTime(), clock.time)
    assert.equal(row.topic, `company/${owner.id}/live/companies/update_one`)
    assert.equal(others.length, 0)
  })

  test('stores nothing of a transaction that rolls back', async () => {
    await using database = await openTestDatabase()
    const undone = database.transaction(async (tx) => {
      await outbox.write(tx, changed({ kind: 'user', id: randomUUID() }, {}))
      throw new Error('no')
    })
    await assert.rejects(undone, /no/)
    assert.deepEqual(await rowsOf(database), [])
  })

  test('numbers the events of a transaction in the order of their writes, with ids ordered by time', async () => {
    await using database = await openTestDatabase()
    const owner = { kind: 'user', id: randomUUID() } as const
    const ids = await database.transaction(async (tx) => {
      const written: string[] = []
      for (const n of [1, 2, 3]) {
        clock.time += 1
        written.push(await outbox.write(tx, changed(owner, { n })))
      }
      return written
    })
    assert.deepEqual(
      (await rowsOf(database)).map(({ id }) => id),
      ids,
    )
    assert.deepEqual(ids, ids.toSorted())
  })

  test('rejects an event without a valid owner', async () => {
    await using database = await openTestDatabase()
    const event = changed({ kind: 'user', id: 'nobody' }, {})
    await assert.rejects(database.transaction((tx) => outbox.write(tx, event)))
  })
})
