import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { readPlan } from '../../../../test/query-plans.ts'
import { recordStatements } from '../../../../test/recorded-statements.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { countFailedDeliveries } from '../hooks/failed-deliveries.store.ts'
import { countRecords, findRecordPage, type RecordFilter } from './event-records.store.ts'

const large = randomUUID()
const small = randomUUID()
const hook = randomUUID()
const rows = 20_000

let database: Database
let pool: Pool
let query: Query
let eventId: string
const statements: CompiledQuery[] = []

before(async () => {
  database = await openTestDatabase()
  await sql`
    insert into hooks (id, company_id, connection_url, content_type, status, enable_ssl, ordered, mode, scopes, listens,
      header_names, encrypted_headers, created_at, updated_at)
    select id, ${large}::uuid, 'https://erp.example', 'application/json', 'enabled', true, false, 'all', '[]', '{}', '{}',
      '', now(), now()
    from (select ${hook}::uuid as id union all select md5('hook ' || n)::uuid from generate_series(25, 999) n) h`.execute(
    database.query,
  )
  await sql`
    with numbered as (
      select n, (lpad(to_hex(n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id
      from generate_series(1, ${rows}::int) n
    ), written as (
      insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at, about_id)
      select id, 'company', ${large}::uuid, 'live', 'certificates', 'notarize_one', '{}', now(), gen_random_uuid()
      from numbered
    )
    insert into hook_events (id, event_id, hook_id, company_id, mode, resource, action, about_name, delivered, created_at,
      updated_at)
    select id, id, case when n % 50 < 25 then ${hook}::uuid else md5('hook ' || n % 1000)::uuid end,
      case when n % 1000 = 0 then ${small}::uuid when n % 4 = 0 then md5('company ' || n % 400)::uuid else ${large}::uuid end,
      'live', 'certificates', coalesce((array['withdraw_one', 'replace_one', 'receive_one', 'revoke_many', 'update_one'])[n % 500], 'notarize_one'), 'A-2026/' || n,
      n % 500 <> 1, now(), now()
    from numbered`.execute(database.query)
  await sql`vacuum analyze outbox, hook_events, hooks`.execute(database.query)
  const { rows: found } = await sql<{ eventId: string }>`
    select event_id from hook_events where about_name = 'A-2026/17001'`.execute(database.query)
  eventId = found[0]?.eventId ?? assert.fail()
  ;({ pool, query } = recordStatements(database, statements))
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

const all: RecordFilter = { companyId: large }
const firstPage = { limit: 101, after: undefined }
const numbersOf = async (text: string, companyId = large) =>
  (await findRecordPage(query, { companyId, text }, { limit: 1_000, after: undefined })).map(
    ({ aboutName }) => Number(aboutName?.split('/')[1]),
  )

describe('the list of deliveries', () => {
  const filters: Readonly<Record<string, readonly [() => Partial<RecordFilter>, index: string]>> = {
    nothing: [() => ({}), 'hook_events_company'],
    'a webhook': [() => ({ hookId: hook }), 'hook_events_hook'],
    'a word': [() => ({ hookId: hook, text: '17001' }), 'hook_events_words'],
    'the id of an event': [() => ({ hookId: hook, text: eventId }), 'hook_events_event_id_hook_id_key'],
    'what arrived': [() => ({ hookId: hook, delivered: true }), 'hook_events_hook'],
    'what did not arrive': [() => ({ hookId: hook, delivered: false }), 'hook_events_open'],
    'a rare event': [
      () => ({ hookId: hook, resource: 'certificates', action: 'withdraw_one' }),
      'hook_events_kind',
    ],
    'a certificate': [() => ({ hookId: hook, aboutId: randomUUID() }), 'outbox_about'],
  }
  for (const [name, [filter, expected]] of Object.entries(filters))
    test(`is read and counted by an index: ${name}`, async () => {
      statements.length = 0
      await findRecordPage(query, { ...all, ...filter() }, firstPage)
      await countRecords(query, { ...all, ...filter() }, 1_001)
      assert.equal(statements.length, 2)
      for (const statement of statements) {
        const plan = await readPlan(pool, statement)
        const scanned = plan.filter(
          (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'hook_events',
        )
        assert.deepEqual(scanned, [], statement.sql)
        const indexes = plan.flatMap((node) => node['Index Name'] ?? [])
        assert.ok(indexes.includes(expected), `${indexes.join()}: ${statement.sql}`)
      }
    })

  test('is read by an index for the count of what failed, beside each webhook', async () => {
    await sql`update hook_events set delivery_error = 'x' where not delivered and hook_id = ${hook}`.execute(
      database.query,
    )
    statements.length = 0
    const of = { hookIds: [hook, randomUUID()], mode: undefined, atMost: 30 }
    assert.equal((await countFailedDeliveries(query, of)).get(hook), 30)
    assert.equal((await countFailedDeliveries(query, { ...of, mode: 'test' })).get(hook), 0)
    assert.equal(statements.length, 2)
    for (const statement of statements) {
      const plan = await readPlan(pool, statement)
      assert.ok(plan.some((node) => node['Index Name'] === 'hook_events_open'))
      assert.ok(
        !plan.some((node) => node['Relation Name'] === 'hook_events' && node['Node Type'] === 'Seq Scan'),
      )
    }
  })

  test('a statement without an index would be noticed', async () => {
    const statement = sql`select id from hook_events where delivery_error = 'x'`.compile(query)
    assert.ok((await readPlan(pool, statement)).some((node) => node['Node Type'] === 'Seq Scan'))
  })

  test('is found by beginnings of words and case, newest first, and never in another company', async () => {
    assert.deepEqual(await numbersOf('a-2026/17001'), [17_001])
    assert.deepEqual(
      await numbersOf('1999'),
      [19_999, 19_998, 19_997, 19_995, 19_994, 19_993, 19_991, 19_990, 1_999],
    )
    assert.deepEqual(await numbersOf('17000', small), [17_000])
    assert.deepEqual(await numbersOf('17001', small), [])
    assert.deepEqual(await numbersOf(eventId), [17_001])
    assert.deepEqual(await numbersOf(eventId, small), [])
    for (const nothing of ['@@', "it's:*", String.raw`\ & ! |`, '%'])
      assert.deepEqual(await numbersOf(nothing), [])
  })

  test('is counted no further than asked', async () => {
    assert.equal(await countRecords(query, all, 1_001), 1_001)
    assert.equal(await countRecords(query, { ...all, delivered: false }, 1_001), 40)
    assert.equal(await countRecords(query, { ...all, text: '17001' }, 1_001), 1)
  })
})
