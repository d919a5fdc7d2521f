import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { readPlan } from '../../../../test/query-plans.ts'
import { recordStatements } from '../../../../test/recorded-statements.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { countIdentities, findIdentityPage, type IdentityFilter } from '../keys/identities.store.ts'

const companyId = randomUUID()

let database: Database
let pool: Pool
let query: Query
const statements: CompiledQuery[] = []

before(async () => {
  database = await openTestDatabase()
  await sql`alter table identities drop constraint identities_company_id_fkey, drop constraint identities_wallet_id_fkey`.execute(
    database.query,
  )
  await sql`
    insert into identities (id, wallet_id, company_id, mode, coin_type, account, change, index, public_key, did, status, name,
      created_at, updated_at)
    select gen_random_uuid(), md5('wallet ' || n % 100)::uuid,
      case when n % 100 = 0 then ${companyId}::uuid else md5('company ' || n % 100)::uuid end, 'test', 822, 0, 0, n, 'key ' || n,
      'did:key:z6Mk' || n, 'valid', 'Plate mill ' || n, now(), now()
    from generate_series(1, 10000) n`.execute(database.query)
  await sql`vacuum analyze identities`.execute(database.query)
  ;({ pool, query } = recordStatements(database, statements))
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

describe('the list of identities', () => {
  const filters: Readonly<Record<string, Partial<IdentityFilter>>> = {
    nothing: {},
    'a text': { text: 'mill 9900' },
    'a state': { status: 'revoked' },
    'a text and an account': { text: 'plate', account: 0 },
  }
  for (const [name, filter] of Object.entries(filters))
    test(`reads and counts only those of the company, by an index: ${name}`, async () => {
      statements.length = 0
      const asked = { companyId, mode: 'test', ...filter } as const
      await findIdentityPage(query, asked, { limit: 101, after: undefined })
      await countIdentities(query, asked, 1_001)
      assert.equal(statements.length, 2)
      for (const statement of statements) {
        const plan = await readPlan(pool, statement)
        assert.deepEqual(
          plan.flatMap((node) => node['Index Name'] ?? []),
          ['identities_company_idx'],
          statement.sql,
        )
      }
    })

  test('a statement without an index would be noticed', async () => {
    const statement = sql`select id from identities where name = 'x'`.compile(query)
    assert.ok((await readPlan(pool, statement)).some((node) => node['Node Type'] === 'Seq Scan'))
  })

  test('is counted no further than asked', async () => {
    assert.equal(await countIdentities(query, { companyId, mode: 'test' }, 50), 50)
    assert.equal(await countIdentities(query, { companyId, mode: 'test', text: 'MILL 9900' }, 50), 1)
  })
})
