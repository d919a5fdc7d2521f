import assert from 'node:assert/strict'
import { claimOne } from './claimed.suite.ts'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { eraseAll, eraseBatch } from '../../../lib/erase.ts'
import type { Database } from '../../../ports/database/database.ts'
import { eraseBodies, insertCertificates } from '../certificates/certificates.store.ts'
import { endNotarizations } from './progress.store.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

let database: Database
let server: TestServer
let owner: Owner

before(async () => {
  database = await openTestDatabase()
  server = await startOwnServer({ databaseUrl: addressOf(database) })
  owner = await newOwner(server, 'retention-mill')
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** A certificate in this state, as notarizing one leaves it. */
const store = async (
  state: 'running' | 'notarized' | 'failed',
): Promise<{ id: string; retainedUntil: Date }> => {
  const now = new Date(server.clock.now())
  const id = randomUUID()
  const retainedUntil = new Date(now.getTime() + limits.certificateRetentionDays * dayMs)
  await insertCertificates(database.query, [
    {
      row: {
        id,
        companyId: owner.company.id,
        identityId: randomUUID(),
        mode: 'test',
        state: 'accepted',
        family: 'en10168',
        refSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
        hash: randomUUID().replaceAll('-', '').repeat(2),
        summary: '{"buyerName":"Bridge Works"}',
        body: Buffer.from('{"secret":"of the trade"}'),
        nextAttemptAt: new Date(now.getTime() + hourMs),
        retainedUntil,
        createdAt: now,
        updatedAt: now,
      },
      words: 'bridge works',
    },
  ])
  await claimOne({ database }, id)
  if (state === 'notarized') {
    const transactionId = 'ab'.repeat(32)
    await endNotarizations(database.query, [{ id, state, transactionId, recordedAt: now }], now)
  }
  if (state === 'failed')
    await endNotarizations(database.query, [{ id, state, error: 'no', reasons: null }], now)
  return { id, retainedUntil }
}

describe('retention', () => {
  test('a body and its summary are deleted when the retention ends; hash and state stay', async () => {
    const { id, retainedUntil } = await store('notarized')
    const client = server.client(owner.admin.accessToken)
    const about = { company: owner.company.id, params: { id } }
    await eraseBodies(database.query, new Date(retainedUntil.getTime() - 1))
    assert.equal(await (await client.readCertificateJson(about)).text(), '{"secret":"of the trade"}')
    assert.ok((await eraseBodies(database.query, retainedUntil)) >= 1)
    await assertRefused(client.readCertificateJson(about), 'certificate_erased')
    const { state, hash, summary } = await client.readCertificate(about)
    assert.equal(state, 'notarized')
    assert.equal(hash.value.length, 64)
    assert.deepEqual(summary, {})
    assert.equal(await eraseBodies(database.query, retainedUntil), 0)
  })

  test('a running notarization keeps its body however late it is; a failed one loses it', async () => {
    const running = await store('running')
    const failed = await store('failed')
    await eraseBodies(database.query, new Date(running.retainedUntil.getTime() + dayMs))
    const client = server.client(owner.admin.accessToken)
    const read = (id: string) => client.readCertificateJson({ company: owner.company.id, params: { id } })
    assert.equal((await read(running.id)).size, 25)
    await assertRefused(read(failed.id), 'certificate_erased')
  })

  test('after an outage the bodies are deleted in batches, the oldest first, with their links', async () => {
    const { id, retainedUntil } = await store('notarized')
    const { query } = database
    const more = 2 * eraseBatch
    await sql`
      insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, summary, body,
          transaction_id, recorded_at, next_attempt_at, retained_until, created_at, updated_at)
        select gen_random_uuid(), company_id, identity_id, mode, state, ref_schema_url, family,
          encode(sha256(n::text::bytea), 'hex'), summary, body, encode(sha256(n::text::bytea), 'hex'), recorded_at,
          next_attempt_at, retained_until + n * interval '1 second', created_at, updated_at
        from certificates, generate_series(1, ${more}::int) as n where id = ${id}`.execute(query)
    await sql`
      insert into certificate_links (token_hash, certificate_id, created_at)
        select sha256(id::text::bytea), id, created_at from certificates where body is not null`.execute(
      query,
    )
    const later = new Date(retainedUntil.getTime() + 2 * dayMs)
    assert.equal(await eraseBodies(query, later), eraseBatch)
    const [oldest] = (
      await sql<{
        isErased: boolean
      }>`select body is null as is_erased from certificates where id = ${id}`.execute(query)
    ).rows
    assert.equal(oldest?.isErased, true)
    await eraseAll(() => eraseBodies(query, later), new AbortController().signal)
    const { rows } = await sql<{ bodies: number; links: number }>`
      select count(body)::int as bodies, count(l.token_hash)::int as links
      from certificates c left join certificate_links l on l.certificate_id = c.id
      where retained_until <= ${later} and state <> 'running'`.execute(query)
    assert.deepEqual(rows, [{ bodies: 0, links: 0 }])
  })
})
