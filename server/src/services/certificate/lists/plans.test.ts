import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomUUID } from 'node:crypto'
import { type CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { readPlan } from '../../../../test/query-plans.ts'
import { recordStatements } from '../../../../test/recorded-statements.ts'
import { fillCertificates } from '../../../../test/many-certificates.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { findByHashPrefix } from '../verifications/codes.store.ts'
import { countAll, countByState } from './counts.store.ts'
import type { CertificateFilter } from './filter.store.ts'
import { findCertificateIds } from './lists.store.ts'
import { readTextQuery } from '../certificates/search-words.ts'
import { readBlocks } from './read-blocks.ts'
import { eraseCommonGrams, readNextBlock } from './common-grams.store.ts'
import { findSortedIds } from './sorted-lists.store.ts'

const companyId = randomUUID()
const smallCompanyId = randomUUID()
const receiverId = randomUUID()
/** Three blocks of texts. */
const rows = 9_000

let database: Database
let pool: Pool
let query: Query
const statements: CompiledQuery[] = []

before(async () => {
  database = await openTestDatabase()
  await fillCertificates(database.connection, { rows, companyId, smallCompanyId, receiverId })
  await lateRecords()
  // Without it, an index has to look into the table for the rows that were changed.
  await sql`vacuum analyze certificates`.execute(database.query)
  await readBlocks({ database })
  await sql`vacuum analyze common_grams`.execute(database.query)
  ;({ pool, query } = recordStatements(database, statements))
})
after(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

/** A third was notarized a week after it was accepted. */
const lateRecords = async (): Promise<void> => {
  await sql`update certificates set recorded_at = recorded_at + interval '7 days'
    where id in (select certificate_id from certificate_texts where place % 3 = 0)`.execute(database.query)
}

const none = { from: undefined, to: undefined }
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
const from2020 = { from: new Date('2020-01-01'), to: new Date('2100-01-01') }

const filters: Readonly<Record<string, Partial<CertificateFilter>>> = {
  nothing: {},
  'a common state': { state: 'notarized' },
  'a rare state': { state: 'failed' },
  'a hash': { hash: 'ab'.repeat(32) },
  'the beginning of a hash': { hash: 'abcdef01' },
  'an identity': { identityId: randomUUID() },
  'a family': { family: 'coa' },
  'a time of creation': { created: from2020 },
  'a time of notarization': { notarized: from2020 },
  'a common word': { text: readTextQuery('rolling') },
  'a rare word': { text: readTextQuery('4711777') },
  'two common words': { text: readTextQuery('evenly oddly') },
  'two common words and a family': { text: readTextQuery('evenly oddly'), family: 'en10168' },
  'a word of two letters': { text: readTextQuery('mc') },
  'two words, a family and a time': {
    text: readTextQuery('bridge plate'),
    family: 'en10168',
    created: from2020,
  },
  'a common word and a common state': { text: readTextQuery('rolling'), state: 'notarized' },
  'a common word and a time of notarization': { text: readTextQuery('rolling'), notarized: from2020 },
  'a rare word and a common state': { text: readTextQuery('4711777'), state: 'notarized' },
  'the word of a small company': { companyId: smallCompanyId, text: readTextQuery('rolling') },
}

const planOf = (statement: CompiledQuery) => readPlan(pool, statement)

describe('the statements of a list use indexes, whatever the planner knows about the values', () => {
  const received = { direction: 'received', companyId: receiverId } as const
  const cases = Object.entries(filters).flatMap(([name, filter]) => [
    [name, filter] as const,
    [`${name}, received`, { ...filter, ...received }] as const,
  ])
  for (const [name, filter] of cases)
    test(name, async () => {
      for (const range of [
        { after: undefined, limit: 1_001 },
        { after: randomUUID(), limit: 101 },
      ]) {
        statements.length = 0
        await findCertificateIds(query, { ...all, ...filter }, range)
        assert.ok(statements.length > 0)
        for (const statement of statements) {
          const nodes = await planOf(statement)
          const read = nodes.filter(({ 'Node Type': type }) => type.includes('Scan') && !type.includes('CTE'))
          const whole = read.filter(({ 'Node Type': type }) => type === 'Seq Scan')
          assert.deepEqual(whole, [], statement.sql)
          const isByText = statement.sql.includes('text_keys')
          const hasIndex = nodes.some((node) =>
            ['certificate_texts_keys', 'received_texts_keys'].includes(node['Index Name'] ?? ''),
          )
          assert.equal(hasIndex, isByText, statement.sql)
          const hasBits = nodes.some((node) => node['Index Name'] === 'common_grams_pkey')
          assert.equal(hasBits, statement.sql.includes('common_grams'), statement.sql)
          assert.equal(hasBits, isByText && name.startsWith('two common words'), statement.sql)
          const isParallel = nodes.some((node) => node['Node Type'].startsWith('Gather'))
          assert.ok(!isByText || !isParallel, statement.sql)
        }
      }
    })

  const indexes = {
    issued: { number: 'certificates_number', party: 'certificates_party' },
    received: { number: 'certificate_receivers_number', party: 'certificate_receivers_party' },
  } as const
  const sortings = (['date', 'number', 'party'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ sort, order })),
  )
  for (const direction of ['issued', 'received'] as const)
    for (const sorting of sortings)
      test(`a list of ${direction} ones sorted by ${sorting.sort}, ${sorting.order}ending`, async () => {
        const who = direction === 'issued' ? {} : received
        for (const facts of [{}, { family: 'en10168' }, { text: readTextQuery('rolling') }])
          for (const found of [undefined, [randomUUID()]])
            for (const last of [undefined, randomUUID()]) {
              statements.length = 0
              const filter = { ...all, ...facts, ...who }
              await findSortedIds(query, { filter, sorting, found }, { after: last, limit: 101 })
              const [statement = assert.fail('no statement')] = statements
              const nodes = await planOf(statement)
              const types = nodes.map(({ 'Node Type': type }) => type)
              assert.ok(!types.includes('Seq Scan'), statement.sql)
              if (found !== undefined || 'family' in facts || sorting.sort === 'date') continue
              assert.ok(!types.includes('Sort'), statement.sql)
              const names = nodes.map((node) => node['Index Name'])
              assert.ok(names.includes(indexes[direction][sorting.sort]), statement.sql)
            }
      })

  test('and so does the look-up of a printed code', async () => {
    statements.length = 0
    await findByHashPrefix(query, 'ab'.repeat(16))
    const [statement = assert.fail('no statement')] = statements
    const read = (await planOf(statement)).filter(({ 'Node Type': type }) => type.includes('Scan'))
    assert.deepEqual(
      [...new Set(read.map((node) => node['Index Name']).filter(Boolean))],
      ['certificates_hash'],
    )
    // There are three samples.
    const wholly = read.filter(({ 'Node Type': type }) => type === 'Seq Scan')
    assert.ok(wholly.every((node) => node['Relation Name'] === 'samples'))
  })

  test('counting reads indexes only', async () => {
    statements.length = 0
    await countByState(query, { companyId, mode: 'test' })
    await countAll(query, { companyId, mode: 'test', receivedSince: new Date() })
    assert.equal(statements.length, 2)
    const nodes = (await Promise.all(statements.map(planOf))).flat()
    const read = nodes.filter((node) => node['Relation Name'] !== undefined)
    assert.deepEqual(
      read.map((node) => [node['Node Type'], node['Relation Name']]),
      [
        ['Index Only Scan', 'certificates'],
        ['Index Only Scan', 'certificates'],
        ['Index Only Scan', 'certificate_receivers'],
        ['Index Only Scan', 'certificates'],
        ['Index Only Scan', 'certificate_receivers'],
      ],
    )
  })

  test('a statement without an index would be noticed', async () => {
    const nodes = await planOf(sql`select id from certificates where error = ${'no'}`.compile(query))
    assert.ok(nodes.some((node) => node['Node Type'] === 'Seq Scan'))
  })

  test('a search finds exactly what reading all texts finds, in the same order, on each page', async () => {
    const late = { from: new Date('2026-01-08'), to: new Date('2026-01-09') }
    const searches: Readonly<Record<string, Partial<CertificateFilter>>> = {
      rolling: {},
      'rolling mill': { notarized: late },
      bridge: { notarized: late },
      'bridge evenly': { state: 'notarized' },
      thousandth: {},
      'mc 2026 77': {},
      'evenly oddly': {},
      'bridge oddly': {},
      'bridge ninth': {},
      'ninth evenly rolling': { state: 'notarized' },
      mc: { state: 'failed' },
    }
    for (const [words, facts] of Object.entries(searches)) {
      const text = readTextQuery(words) ?? assert.fail()
      const { rows: expected } = await sql<{ id: string }>`
        select c.id from certificates c join certificate_texts t on t.certificate_id = c.id
        where c.company_id = ${companyId} and (' ' || t.words) like all (${[...text.patterns]}::text[])
          and c.state = coalesce(${facts.state ?? null}, c.state)
          and (${facts.notarized === undefined} or c.recorded_at >= ${late.from} and c.recorded_at < ${late.to})
        order by t.place desc`.execute(query)
      const found: string[] = []
      for (let last: string | undefined; ; last = found.at(-1)) {
        const limit = last === undefined ? 1_001 : 700
        const page = await findCertificateIds(query, { ...all, ...facts, text }, { after: last, limit })
        found.push(...page)
        if (page.length < limit) break
      }
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        words,
      )
    }
  })

  const meeting = { ...all, text: readTextQuery('evenly oddly') }
  const find = (filter: CertificateFilter) =>
    findCertificateIds(query, filter, { after: undefined, limit: 1_001 })

  test('no block is read twice, and the newest not at all', async () => {
    const noted = await sql<{ direction: string; block: string }>`
      select distinct direction, block from common_grams order by 1, 2`.execute(query)
    assert.deepEqual(
      noted.rows.map(({ direction, block }) => `${direction} ${block}`),
      ['issued 0', 'issued 1', 'received 0', 'received 1'],
    )
    for (const direction of ['issued', 'received'] as const)
      assert.equal(await readNextBlock(query, direction), false)
  })

  test('a text that was committed after its block was read is found', async () => {
    const { rows: read } = await sql<{ id: string; words: string; place: string }>`
      select certificate_id as id, words, place from certificate_texts
      where place = 4200 and company_id = ${companyId}`.execute(query)
    const [{ id, words, place } = assert.fail()] = read
    const replaceBy = async (text: string) => {
      await sql`delete from certificate_texts where certificate_id = ${id}`.execute(query)
      await sql`insert into certificate_texts (certificate_id, company_id, mode, place, words) overriding system value
        values (${id}, ${companyId}, 'test', ${place}::bigint, ${text})`.execute(query)
    }
    const readAgain = async () => {
      await sql`delete from common_grams where block = 1 and direction = 'issued'`.execute(query)
      await sql`update read_blocks set next_block = 1 where direction = 'issued'`.execute(query)
      assert.equal(await readNextBlock(query, 'issued'), true)
    }
    await sql`delete from certificate_texts where certificate_id = ${id}`.execute(query)
    await readAgain()
    await replaceBy('evenly oddly')
    assert.deepEqual(await find(meeting), [id])
    await replaceBy(words)
    assert.deepEqual(await find(meeting), [])
    await readAgain()
  })

  test('a word that one of them has is found in the oldest block', async () => {
    const filter = { ...all, text: readTextQuery('rareword') }
    for (const who of [{}, { direction: 'received', companyId: receiverId } as const])
      assert.equal(
        (await findCertificateIds(query, { ...filter, ...who }, { after: undefined, limit: 1_001 })).length,
        1,
      )
  })

  test('what was noted about texts is erased with the last of them', async () => {
    const count = async () =>
      (
        await sql<{
          count: number
        }>`select count(*)::int from common_grams where direction = 'received'`.execute(query)
      ).rows[0]?.count ?? 0
    const countBefore = await count()
    await sql`delete from received_texts where place >> 12 = 0`.execute(query)
    await eraseCommonGrams(query)
    const left = await count()
    assert.ok(left > 0 && left < countBefore, `${countBefore}, ${left}`)
  })
})
