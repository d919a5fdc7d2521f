import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/database.ts'
import { bytesArray } from './bytes-array.ts'
import type { Database } from './database.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const readBack = async (elements: readonly (Uint8Array | null)[]) => {
  const { rows } = await sql<{ element: Buffer | null }>`
    select element from unnest(${bytesArray(elements)}::bytea[]) with ordinality as given (element, nth) order by nth`.execute(
    database.query,
  )
  return rows.map(({ element }) => element)
}

test('PostgreSQL reads the same elements in the same order: all bytes, none, and null', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const elements = [all, Buffer.alloc(0), null, Buffer.alloc(100_000, '"\\,{}'), all.subarray(1, 3)]
  assert.deepEqual(await readBack(elements), elements)
})

test('an array without elements has none', async () => {
  assert.deepEqual(await readBack([]), [])
})
