import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { readPlan } from '../../../../test/query-plans.ts'
import { recordStatements } from '../../../../test/recorded-statements.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { countMails, findMailPage, type MailFilter } from './mails.store.ts'

const large = randomUUID()
const small = randomUUID()
const hook = randomUUID()
const rows = 20_000

let database: Database
let pool: Pool
let query: Query
const statements: CompiledQuery[] = []

before(async () => {
  database = await openTestDatabase()
  await sql`alter table mails drop constraint mails_event_id_fkey, drop constraint mails_mail_hook_id_fkey`.execute(
    database.query,
  )
  await sql`
    insert into mails (id, event_id, mail_hook_id, company_id, mode, resource, action, recipient, sender, subject,
      text_content, html_content, attachment_name, delivered, created_at, updated_at)
    select (lpad(to_hex(n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(),
      case when n % 50 = 7 then ${hook}::uuid else md5('hook ' || n % 50)::uuid end,
      case when n % 1000 = 0 then ${small}::uuid when n % 4 = 0 then md5('company ' || n % 400)::uuid else ${large}::uuid end, 'live', 'certificates', 'notarize_one',
      'buyer-' || n % 200 || '@Customer.example', 'mill@example.com', 'A certificate was notarized: A-2026/' || n,
      'text', 'html', 'certificate.json', n % 500 <> 1, now(), now()
    from generate_series(1, ${rows}::int) n`.execute(database.query)
  await sql`vacuum analyze mails`.execute(database.query)
  ;({ pool, query } = recordStatements(database, statements))
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

const all: MailFilter = { companyId: large, mode: undefined }
const firstPage = { limit: 101, after: undefined }
const numbersOf = async (text: string, companyId = large) =>
  (await findMailPage(query, { companyId, mode: undefined, text }, { limit: 1_000, after: undefined })).map(
    ({ subject }) => Number(subject.split('/')[1]),
  )

describe('the list of mails', () => {
  const filters: Readonly<Record<string, readonly [Partial<MailFilter>, index: string]>> = {
    nothing: [{}, 'mails_company'],
    'a mode': [{ mode: 'live' }, 'mails_company'],
    'a word': [{ text: '17001' }, 'mails_words'],
    'an address and a mode': [{ text: 'buyer-7@customer.example', mode: 'live' }, 'mails_words'],
    'a word of what was not sent': [{ text: 'certificate', delivered: false }, 'mails_words'],
    'what was sent': [{ delivered: true }, 'mails_company'],
    'what was not sent': [{ delivered: false }, 'mails_open'],
    'a mail hook': [{ mailHookId: hook }, 'mails_hook'],
  }
  for (const [name, [filter, expected]] of Object.entries(filters))
    test(`is read and counted by an index: ${name}`, async () => {
      statements.length = 0
      await findMailPage(query, { ...all, ...filter }, firstPage)
      await countMails(query, { ...all, ...filter }, 1_001)
      assert.equal(statements.length, 2)
      for (const statement of statements) {
        const plan = await readPlan(pool, statement)
        assert.deepEqual(
          plan.filter((node) => node['Node Type'] === 'Seq Scan'),
          [],
          statement.sql,
        )
        const indexes = plan.flatMap((node) => node['Index Name'] ?? [])
        assert.ok(indexes.includes(expected), `${indexes.join()}: ${statement.sql}`)
      }
    })

  test('a statement without an index would be noticed', async () => {
    const statement = sql`select id from mails where sender = 'x'`.compile(query)
    assert.ok((await readPlan(pool, statement)).some((node) => node['Node Type'] === 'Seq Scan'))
  })

  test('is found by beginnings of words in any order and case, newest first, and never in another company', async () => {
    assert.deepEqual(await numbersOf('a-2026/17001'), [17_001])
    assert.deepEqual(await numbersOf('1710 BUYER-101'), [17_101])
    const found = [19_999, 19_998, 19_997, 19_995, 19_994, 19_993, 19_991, 19_990, 1_999]
    assert.deepEqual(await numbersOf('notarized 1999 customer'), found)
    assert.deepEqual(await numbersOf('17001 buyer-3'), [])
    assert.deepEqual(await numbersOf('7001'), [7_001])
    assert.deepEqual(await numbersOf('17001', small), [])
    assert.deepEqual(await numbersOf('17000', small), [17_000])
    for (const nothing of ['@@', "it's:*", String.raw`\ & ! |`, '%'])
      assert.deepEqual(await numbersOf(nothing), [])
  })

  test('is counted no further than asked', async () => {
    assert.equal(await countMails(query, all, 1_001), 1_001)
    assert.equal(await countMails(query, { ...all, delivered: false }, 1_001), 40)
    assert.equal(await countMails(query, { ...all, companyId: small }, 1_001), 20)
    assert.equal(await countMails(query, { ...all, text: 'buyer-7' }, 1_001), 1_001)
    assert.equal(await countMails(query, { ...all, text: '17001' }, 1_001), 1)
  })
})
