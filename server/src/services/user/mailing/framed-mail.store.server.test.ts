import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { newOwner } from '../../../../test/machines.ts'
import { addressOf, startOwnServer } from '../../../../test/test-server.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findFramedMails } from './framed-mail.store.ts'

const kind = 'certificate'

/** From `first` on. */
const insertMails = (query: Query, companyId: string, { first, count }: { first: number; count: number }) =>
  sql`
    insert into company_mails (id, company_id, mode, kind, about, address, created_at)
    select gen_random_uuid(), ${companyId}::uuid, 'test', ${kind}, 'certificate ' || n, 'goods-in@example.com', now()
    from generate_series(${first}::int, ${first + count - 1}::int) as n`.execute(query)

const rowsRead = async (query: Query): Promise<number> => {
  const { rows } = await sql<{ read: number }>`
    select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read
    from pg_stat_xact_user_tables where relname = 'company_mails'`.execute(query)
  return rows[0]?.read ?? 0
}

test('a mail is found among many without reading them, also before PostgreSQL knows that there are many', async () => {
  await using database = await openTestDatabase()
  await using server = await startOwnServer({ databaseUrl: addressOf(database) })
  const { company } = await newOwner(server, 'busy-mill')
  const undo = new Error('undone')
  const work = database.transaction(async (tx) => {
    await insertMails(tx, company.id, { first: 0, count: 3 })
    await sql`analyze company_mails`.execute(tx)
    await insertMails(tx, company.id, { first: 3, count: 3_000 })
    const before = await rowsRead(tx)
    const wanted = [7, 2_500].map((place) => ({
      companyId: company.id,
      mode: 'test' as const,
      kind: 'certificate' as const,
      about: `certificate ${place}`,
      address: 'goods-in@example.com',
    }))
    const found = await findFramedMails(tx, wanted)
    assert.ok(found.every((framed) => framed?.mail !== undefined))
    assert.ok((await rowsRead(tx)) - before <= 10, `${(await rowsRead(tx)) - before} rows were read`)
    throw undo
  })
  await assert.rejects(work, undo)
})
