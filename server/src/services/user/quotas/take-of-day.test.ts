import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/earlier-migrations.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { migrate } from '../../../adapters/database/migrate.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type Counted, count, eraseQuotas, readNumber } from './daily-quotas.store.ts'
import { takeOfDay } from './take-of-day.ts'

const now = new Date('2026-03-01T23:59:59.999Z')
const day = { counted: 'deliveries', day: '2026-03-01' } as const
const limits = { verified: 10, unverified: 10 }

const take = (
  database: Database,
  wanted: Readonly<Record<string, number>>,
  counted: Counted = 'deliveries',
) =>
  database.transaction((tx) => {
    const demands = Object.entries(wanted).map(([companyId, number]) => ({ companyId, wanted: number }))
    return takeOfDay(tx, { counted, limits, now, demands }, async () => new Map())
  })

describe('what companies use of a day', () => {
  test('is granted up to the limit, to each company and of each kind for itself', async () => {
    await using database = await openTestDatabase()
    const [one, other] = [randomUUID(), randomUUID()]
    assert.deepEqual(await take(database, { [one]: 8, [other]: 10 }), new Map())
    const refused = { isVerified: false, most: 10, end: '2026-03-02T00:00:00.000Z' }
    const both = await take(database, { [one]: 3, [other]: 1 })
    assert.deepEqual(both.get(one), { granted: 2, isFirst: true, ...refused })
    assert.deepEqual(both.get(other), { granted: 0, isFirst: true, ...refused })
    assert.deepEqual((await take(database, { [one]: 1 })).get(one), {
      granted: 0,
      isFirst: false,
      ...refused,
    })
    assert.deepEqual(await take(database, { [one]: 10 }, 'mails'), new Map())
  })

  test('can be given back', async () => {
    await using database = await openTestDatabase()
    const companyId = randomUUID()
    await take(database, { [companyId]: 10 })
    await database.transaction((tx) => count(tx, day, { companyId, used: -4, isRefused: false }))
    assert.deepEqual((await take(database, { [companyId]: 4 })).size, 0)
    assert.equal((await readNumber(database.query, day, companyId)).used, 10)
  })

  test('is exact for several companies in calls that name them in different orders', async () => {
    await using database = await openTestDatabase()
    const [one, other] = [randomUUID(), randomUUID()]
    const taken = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        take(database, at % 2 === 0 ? { [one]: 1, [other]: 1 } : { [other]: 1, [one]: 1 }),
      ),
    )
    for (const companyId of [one, other]) {
      assert.equal(taken.filter((refusals) => refusals.has(companyId)).length, 6)
      assert.equal((await readNumber(database.query, day, companyId)).used, 10)
    }
  })

  test('is kept until the day after the next one begins', async () => {
    await using database = await openTestDatabase()
    const companyId = randomUUID()
    await take(database, { [companyId]: 4 })
    const used = async () => (await readNumber(database.query, day, companyId)).used
    await eraseQuotas(database.query, '2026-03-02')
    assert.equal(await used(), 4)
    await eraseQuotas(database.query, '2026-03-03')
    assert.equal(await used(), 0)
  })

  test('continues from the numbers of the release before', async () => {
    await using folder = await makeTemporaryFolder()
    await copyMigrationsBefore(folder.path, '-daily-quotas.sql')
    await using database = await openTestDatabase({ migrated: false })
    const { connection, query } = database
    await migrate({ connection, log: silentLog, folder: folder.path })
    const companyId = randomUUID()
    await sql`insert into delivery_quotas values (${companyId}, ${day.day}, 7)`.execute(query)
    await migrate({ connection, log: silentLog })
    assert.equal((await take(database, { [companyId]: 5 })).get(companyId)?.granted, 3)
  })
})
