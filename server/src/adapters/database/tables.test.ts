import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tableTypes } from '../../../../tooling/src/table-types.ts'
import { openTestDatabase } from '../../../test/database.ts'

test('the table types are those of the migrated database', async () => {
  await using database = await openTestDatabase()
  const committed = await readFile(join(import.meta.dirname, '../../ports/database/tables.ts'), 'utf8')
  assert.ok(
    committed === (await tableTypes(database.query)),
    'server/src/ports/database/tables.ts differs from the migrations: run script/dump and commit what it writes',
  )
})
