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
import { findLookalike } from '../users/users.store.ts'

test('users of an earlier release keep names that look alike, and nobody gets another one like these', async () => {
  await using folder = await makeTemporaryFolder()
  await copyMigrationsBefore(folder.path, '-confusable-names.sql')
  await using database = await openTestDatabase({ migrated: false })
  const { connection } = database
  await migrate({ connection, log: silentLog, folder: folder.path })
  const client = new Client(connection)
  await client.connect()
  try {
    for (const [nth, name] of ['caster', 'cäster', 'CASTÉR', 'melter'].entries())
      await client.query(
        `insert into users (id, username, email, password_hash, role, status, on_boarded, created_at, updated_at)
        values ($1, $2, $3, '', 'USER', 'active', false, to_timestamp($4::int), now())`,
        [randomUUID(), name, `${nth}@example.com`, nth],
      )
  } finally {
    await client.end()
  }
  await migrate({ connection, log: silentLog })
  const { rows } = await sql`select username, username_skeleton from users order by created_at`.execute(
    database.query,
  )
  assert.deepEqual(rows, [
    { username: 'caster', usernameSkeleton: 'caster' },
    { username: 'cäster', usernameSkeleton: null },
    { username: 'CASTÉR', usernameSkeleton: null },
    { username: 'melter', usernameSkeleton: 'melter' },
  ])
  const found = await findLookalike(database.query, { name: 'cast3r', ownId: undefined })
  assert.deepEqual(found, { skeleton: 'cast3r', isTaken: false })
  const alike = await findLookalike(database.query, { name: 'cástêr', ownId: undefined })
  assert.deepEqual(alike, { skeleton: 'caster', isTaken: true })
})
