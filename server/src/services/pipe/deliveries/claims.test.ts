import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Received, startReceiver } from '../../../../test/receiver.ts'
import { addHook, startRelay, writeEvent } from '../../../../test/relay.ts'
import type { Database } from '../../../ports/database/database.ts'
import { claimDeliveries } from './deliveries.store.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const now = new Date('2026-01-01T00:00:00Z')

/** A webhook with so many deliveries that are due since so many seconds. */
const newHook = async (count: number, secondsAgo: number, ordered = false): Promise<string> => {
  const companyId = randomUUID()
  await addHook(database, { companyId, connectionUrl: 'http://127.0.0.1:9', ordered })
  const { id } = await database.query
    .selectFrom('hooks')
    .select('id')
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  for (let n = 0; n < count; n += 1) {
    const eventId = await database.transaction((tx) => writeEvent(tx, companyId, n))
    await sql`
      with written as (
        insert into hook_events (id, event_id, hook_id, company_id, mode, resource, action, created_at, updated_at)
        values (gen_random_uuid(), ${eventId}, ${id}, ${companyId}, 'live', 'companies', 'update_one', now(), now())
        returning id
      )
      insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
      select id, ${id}, ${n}, 10, ${new Date(now.getTime() - secondsAgo * 1_000)} from written`.execute(
      database.query,
    )
  }
  return id
}

/** Says how many deliveries of a webhook were claimed. */
const claim = async (healthy: number, more: ReadonlyMap<string, number> = new Map()) => {
  const claimed = await claimDeliveries(database.query, {
    claim: randomUUID(),
    now,
    leaseUntil: new Date(now.getTime() + 30_000),
    except: [],
    limits: { healthy, failing: 10 },
    perHook: { usual: 4, more },
    bytes: 1_000_000,
  })
  return (hookId: string) => claimed.filter((one) => one.hookId === hookId).length
}

describe('claims of deliveries', () => {
  test('are for the webhooks with the fewest requests at the moment, however old the backlog of another is', async () => {
    const many = await newHook(20, 60)
    const few = await newHook(2, 30)
    const more = new Map([[many, 32]])
    const first = await claim(5, more)
    assert.deepEqual([first(many), first(few)], [3, 2])
    const second = await claim(4, more)
    assert.deepEqual([second(many), second(few)], [4, 0])
    const late = await newHook(1, 0)
    const third = await claim(1, more)
    assert.deepEqual([third(many), third(late)], [0, 1])
    const rest = await claim(100, more)
    assert.deepEqual([rest(many), rest(few), rest(late)], [13, 0, 0])
  })

  test('are four for a webhook, more for one that answers fast, and one for one that is ordered or fails', async () => {
    const usual = await newHook(10, 10)
    const fast = await newHook(10, 10)
    const ordered = await newHook(10, 10, true)
    const failing = await newHook(10, 10)
    await sql`update hooks set failing_since = now() where id = ${failing}`.execute(database.query)
    const all = [usual, fast, ordered, failing]
    const more = new Map([fast, ordered, failing].map((id) => [id, 7]))
    const first = await claim(100, more)
    assert.deepEqual(all.map(first), [4, 7, 1, 1])
    const second = await claim(100, more)
    assert.deepEqual(all.map(second), [0, 0, 0, 0])
  })
})

test('a webhook that answers fast gets more than four requests at once', async () => {
  const open: Received[] = []
  await using receiver = await startReceiver({
    reaction({ request, response, nth }) {
      if (nth <= 80) response.end()
      else open.push(request)
    },
  })
  const companyId = randomUUID()
  await addHook(database, { companyId, connectionUrl: receiver.url, ordered: false })
  for (let n = 0; n < 130; n += 1) await database.transaction((tx) => writeEvent(tx, companyId, n))
  await using _relay = startRelay(database)
  await eventually(() => open.length > 4, { what: () => `${open.length} requests at once` })
})
