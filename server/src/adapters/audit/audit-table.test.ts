import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../test/database.ts'
import { scansOf } from '../../../test/plan-of.ts'
import { recordStatements } from '../../../test/recorded-statements.ts'
import type { AuditFilter } from '../../ports/audit/audit.ts'
import { systemClock } from '../../ports/clock/clock.ts'
import type { Database, Query } from '../../ports/database/database.ts'
import { createAudit } from './audit-table.ts'

let database: Database
let pool: Pool
let query: Query
const statements: CompiledQuery[] = []
const company = randomUUID()
const audit = createAudit({ clock: systemClock })

before(async () => {
  database = await openTestDatabase()
  await sql`
    insert into audit_log (id, at, actor, action, subject, company_id, details)
    select (lpad(to_hex(n * 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, to_timestamp(n),
      'user:' || n % 50, 'act.' || n % 20, 'thing:' || n % 1000, ${company}, '{}'
    from generate_series(1, 20000) n`.execute(database.query)
  await sql`analyze audit_log`.execute(database.query)
  ;({ pool, query } = recordStatements(database, statements))
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

const at = (seconds: number) => new Date(seconds * 1_000)
const none: AuditFilter = {
  actor: undefined,
  action: undefined,
  exceptAction: undefined,
  subject: undefined,
  companyId: undefined,
  from: undefined,
  to: undefined,
}

describe('the audit log', () => {
  const filters: Readonly<Record<string, Partial<AuditFilter>>> = {
    nothing: {},
    'an actor': { actor: 'user:7' },
    'an action': { action: 'act.7' },
    'all but an action': { exceptAction: 'act.7' },
    'a subject': { subject: 'thing:7' },
    'a company': { companyId: company },
    'an unknown company': { companyId: randomUUID() },
    'a period': { from: at(5_000), to: at(6_000) },
    'all of it': { actor: 'user:7', action: 'act.7', subject: 'thing:7', companyId: company, from: at(1) },
  }
  for (const [name, filter] of Object.entries(filters))
    test(`is read by an index: ${name}`, async () => {
      statements.length = 0
      await audit.list(query, { ...none, ...filter }, { after: undefined, limit: 101 })
      const [statement = assert.fail('no statement')] = statements
      const { sequential, indexes } = await scansOf(query, statement)
      assert.equal(sequential, 0, statement.sql)
      assert.ok(indexes.length > 0, statement.sql)
    })

  test('a statement without an index would be noticed', async () => {
    const statement = sql`select id from audit_log where ip_address = 'x'`.compile(query)
    assert.equal((await scansOf(query, statement)).sequential, 1)
  })

  test('is listed newest first, in pages, from a time and before another', async () => {
    const period = { ...none, from: at(100), to: at(103) }
    const list = (last: string | undefined, limit: number) =>
      audit.list(query, period, { after: last, limit })
    const found = await list(undefined, 10)
    assert.deepEqual(
      found.map((entry) => entry.at.getTime()),
      [102_000, 101_000, 100_000],
    )
    const [first] = await list(undefined, 1)
    assert.deepEqual(await list(first?.id, 10), found.slice(1))
    assert.equal(await audit.count(query, period, 10), 3)
    assert.equal(await audit.count(query, period, 2), 2)
  })
})
