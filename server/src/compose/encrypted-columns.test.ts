import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/database.ts'
import { encryptedColumns } from './encrypted-columns.ts'

test('a rotation of the master key covers every encrypted column of the database, and no other', async () => {
  await using database = await openTestDatabase()
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name ~ '^encrypted'`.execute(
    database.query,
  )
  const reencryptedByTheVault = 'wallets.encrypted_root'
  const known = [reencryptedByTheVault, ...encryptedColumns.map(({ table, name }) => `${table}.${name}`)]
  assert.ok(rows.length >= 9)
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), known.toSorted())
})
