import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { fillCertificates } from '../../../../test/many-certificates.ts'
import { readExecutedPlan, rowsRead } from '../../../../test/query-plans.ts'
import { recordStatements } from '../../../../test/recorded-statements.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { countAll } from './counts.store.ts'
import type { CertificateFilter } from './filter.store.ts'
import { findCertificateIds } from './lists.store.ts'
import { readTextQuery } from '../certificates/search-words.ts'
import { findSortedIds } from './sorted-lists.store.ts'

/** A million takes minutes: `MANY_CERTIFICATES=1000000` for a quiet machine. */
const rows = Number(process.env['MANY_CERTIFICATES'] ?? 50_000)
const [companyId, smallCompanyId, receiverId] = [randomUUID(), randomUUID(), randomUUID()]

let database: Database
let pool: Pool
let query: Query
let middle: string
const statements: CompiledQuery[] = []

before(async () => {
  database = await openTestDatabase()
  await fillCertificates(database.connection, { rows, companyId, smallCompanyId, receiverId })
  ;({ pool, query } = recordStatements(database, statements))
  const { rows: found } = await sql<{ id: string }>`
    select certificate_id as id from certificate_texts where place = ${rows / 2 - 7}`.execute(query)
  middle = found[0]?.id ?? assert.fail('no certificate in the middle')
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

const none = { from: undefined, to: undefined }
const morning = { from: new Date('2026-01-01T06:00:00Z'), to: new Date('2026-01-01T12:00:00Z') }
const all: CertificateFilter = {
  companyId,
  direction: 'issued',
  mode: 'test',
  state: undefined,
  hash: undefined,
  identityId: undefined,
  family: undefined,
  created: none,
  notarized: none,
  text: undefined,
}
const received = { direction: 'received', companyId: receiverId } as const
const text = (words: string) => ({ text: readTextQuery(words) })

/** The most rows that all statements of a page together read, however many there are. */
const [facts, words] = [4_000, 30_000]
const filters: Readonly<Record<string, readonly [Partial<CertificateFilter>, number]>> = {
  nothing: [{}, facts],
  'a state of nearly all': [{ state: 'notarized' }, facts],
  'a state of one in a thousand': [{ state: 'failed' }, facts],
  'the first characters of a hash': [{ hash: '4fc82b26' }, facts],
  'a hash that none has': [{ hash: 'ab'.repeat(32) }, facts],
  'an identity that none has': [{ identityId: randomUUID() }, facts],
  'a family of one in a thousand': [{ family: 'coa' }, facts],
  'a morning of creation': [{ created: morning }, facts],
  'a morning of notarization': [{ notarized: morning }, facts],
  'received ones': [{ ...received }, facts],
  'received ones of an identity': [{ ...received, identityId: randomUUID() }, facts],
  'received ones with a word of one in a thousand': [{ ...received, ...text('thousandth') }, words],
  'a word of all': [text('rolling'), words],
  'a word of one in a thousand': [text('thousandth'), words],
  'a word of one': [text('rareword'), words],
  'a number': [text('MC-2026-37123'), words],
  'a word that none has': [text('zzqqxx'), words],
  'a word of all and a state': [{ ...text('rolling'), state: 'failed' }, words],
  'a word of all and a morning of notarization': [{ ...text('rolling'), notarized: morning }, words],
  'a word, in a company that has one': [{ ...text('rolling'), companyId: smallCompanyId }, facts],
}

/** Checks all statements since the last call. */
const assertBounded = async (mostRows: number): Promise<void> => {
  const ran = statements.splice(0)
  assert.ok(ran.length > 0)
  let read = 0
  for (const statement of ran) {
    const nodes = await readExecutedPlan(pool, statement)
    const tables = nodes.filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'])
    const whole = tables.filter(({ 'Node Type': type }) => type === 'Seq Scan')
    assert.deepEqual(whole, [], statement.sql)
    assert.ok(
      nodes.some((node) => node['Index Name'] !== undefined),
      statement.sql,
    )
    read += rowsRead(nodes)
  }
  statements.length = 0
  assert.ok(read <= mostRows, `${read} rows read by ${ran.length} statements: ${ran.at(-1)?.sql}`)
}

describe('of many certificates, a page reads few, from indexes', () => {
  for (const [name, [filter, mostRows]] of Object.entries(filters))
    test(name, async () => {
      for (const range of [
        { after: undefined, limit: 1_001 },
        { after: middle, limit: 101 },
      ]) {
        statements.length = 0
        await findCertificateIds(query, { ...all, ...filter }, range)
        await assertBounded(mostRows)
      }
    })

  for (const sort of ['date', 'number', 'party'] as const)
    for (const order of ['asc', 'desc'] as const)
      test(`sorted by ${sort}, ${order}ending`, async () => {
        for (const last of [undefined, middle]) {
          statements.length = 0
          const wanted = { filter: all, sorting: { sort, order }, found: undefined }
          const page = await findSortedIds(query, wanted, { after: last, limit: 101 })
          assert.ok(page.length > 0)
          await assertBounded(facts)
        }
      })

  test('and so does their count', async () => {
    statements.length = 0
    await countAll(query, { companyId, mode: 'test', receivedSince: new Date() })
    await assertBounded(110_000)
  })

  test('a statement without an index would be noticed', async () => {
    statements.push(sql`select id from certificates where error = ${'no'} limit 1`.compile(query))
    await assert.rejects(assertBounded(facts), /Seq Scan/)
  })
})
