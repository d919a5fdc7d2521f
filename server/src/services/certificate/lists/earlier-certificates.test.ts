import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/earlier-migrations.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { migrate } from '../../../adapters/database/migrate.ts'
import { findCertificateIds } from './lists.store.ts'
import { readTextQuery } from '../certificates/search-words.ts'

const columns = `id, company_id, identity_id, mode, state, ref_schema_url, hash, body, summary, next_attempt_at,
  retained_until, created_at, updated_at`

test('certificates that an earlier release accepted are found by their summary and family', async () => {
  await using folder = await makeTemporaryFolder()
  await copyMigrationsBefore(folder.path, '-certificate-search.sql')
  await using database = await openTestDatabase({ migrated: false })
  const { connection } = database
  await migrate({ connection, log: silentLog, folder: folder.path })
  const [stored, erased, companyId] = [randomUUID(), randomUUID(), randomUUID()]
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const [id, body, summary] of [
      [stored, '{}', { identifier: 'MC-7/ÜB', buyerName: 'Händler "Łódź"' }],
      [erased, null, {}],
    ] as const)
      await client.query(
        `insert into certificates (${columns})
        values ($1::uuid, $2, $1::uuid, 'test', 'accepted', 'https://x/coa-schemas/v1.1.0/schema.json', $1::text, $3, $4, now(), now(), now(), now())`,
        [id, companyId, body, JSON.stringify(summary)],
      )
  } finally {
    await client.end()
  }
  await migrate({ connection, log: silentLog })
  const none = { from: undefined, to: undefined }
  const find = (text: string | undefined) =>
    findCertificateIds(
      database.query,
      {
        companyId,
        direction: 'issued',
        mode: 'test',
        state: undefined,
        hash: undefined,
        identityId: undefined,
        family: 'coa',
        created: none,
        notarized: none,
        text: text === undefined ? undefined : readTextQuery(text),
      },
      { after: undefined, limit: 10 },
    )
  for (const text of ['mc-7', 'handler', 'HÄNDLER ub']) assert.deepEqual(await find(text), [stored], text)
  assert.deepEqual((await find(undefined)).toSorted(), [stored, erased].toSorted())
})

test('certificates that an earlier release notarized are found by the receivers that were told of them', async () => {
  await using folder = await makeTemporaryFolder()
  await copyMigrationsBefore(folder.path, '-received-certificates.sql')
  await using database = await openTestDatabase({ migrated: false })
  const { connection } = database
  await migrate({ connection, log: silentLog, folder: folder.path })
  const [id, receiver, deleted] = [randomUUID(), randomUUID(), randomUUID()]
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into companies (id, name, vat_id, country, street, city, zip_code, address_id, emails, websites, owner_id,
        created_at, updated_at)
      values ($1::uuid, 'Bridge Works', 'ATU1', 'AT', '', '', '', $1::uuid, '{}', '{}', $1::uuid, now(), now())`,
      [receiver],
    )
    await client.query(
      `insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, transaction_id, recorded_at,
        receiver_ids, summary, retained_until, created_at, updated_at)
      values ($1::uuid, $1::uuid, $1::uuid, 'test', 'notarized', '', 'coa', '', '', now(), $2, '{}', now(), now(), now())`,
      [id, [receiver, deleted]],
    )
    await client.query(
      `insert into certificate_texts (certificate_id, company_id, mode, words) values ($1::uuid, $1::uuid, 'test', 'mc 7')`,
      [id],
    )
    await client.query(
      `insert into audit_log (id, at, actor, action, subject, details)
      values ($1::uuid, now(), 'user:x', 'certificates.notarize', $2, '{}')`,
      [randomUUID(), id],
    )
  } finally {
    await client.end()
  }
  await migrate({ connection, log: silentLog })
  const none = { from: undefined, to: undefined }
  for (const [companyId, expected] of [
    [receiver, [id]],
    [deleted, []],
  ] as const)
    for (const text of ['mc', undefined]) {
      const filter = {
        companyId,
        direction: 'received',
        mode: 'test',
        state: undefined,
        hash: undefined,
        identityId: undefined,
        family: 'coa',
        created: none,
        notarized: none,
        text: text === undefined ? undefined : readTextQuery(text),
      } as const
      assert.deepEqual(
        await findCertificateIds(database.query, filter, { after: undefined, limit: 10 }),
        expected,
      )
    }
  const { acceptedBy } = await database.query
    .selectFrom('certificates')
    .select('acceptedBy')
    .executeTakeFirstOrThrow()
  assert.equal(acceptedBy, 'user:x')
})

test('deliveries of an earlier release are found by the number of their certificate', async () => {
  await using folder = await makeTemporaryFolder()
  await copyMigrationsBefore(folder.path, '-event-words.sql')
  await using database = await openTestDatabase({ migrated: false })
  const { connection } = database
  await migrate({ connection, log: silentLog, folder: folder.path })
  const [id, companyId] = [randomUUID(), randomUUID()]
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, summary,
        transaction_id, recorded_at, retained_until, created_at, updated_at)
      values ($1::uuid, $2, $1::uuid, 'live', 'notarized', '', 'coa', $1::text, '{"identifier":"MC-7"}', '', now(), now(),
        now(), now())`,
      [id, companyId],
    )
    await client.query(
      `insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at, about_id)
      values ($1, 'company', $2, 'live', 'certificates', 'notarize_one', '{}', now(), $1)`,
      [id, companyId],
    )
    await client.query(
      `insert into hook_events (id, event_id, hook_id, company_id, mode, resource, action, created_at, updated_at)
      values ($1, $1, $1, $2, 'live', 'certificates', 'notarize_one', now(), now())`,
      [id, companyId],
    )
  } finally {
    await client.end()
  }
  await migrate({ connection, log: silentLog })
  const { rows } = await sql<{ aboutName: string }>`select about_name from hook_events`.execute(
    database.query,
  )
  assert.deepEqual(rows, [{ aboutName: 'MC-7' }])
})
