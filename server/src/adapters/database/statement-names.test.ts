import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameStatements } from './statement-names.ts'

test('a statement has one name, and statements beyond the limit have none', () => {
  const nameOf = nameStatements()
  const first = nameOf('select $1', [1])
  assert.deepEqual(nameOf('select $1', [2]), first)
  assert.notDeepEqual(nameOf('select $1, 2', [1]), first)
  assert.notDeepEqual(nameOf(' WITH one AS (select 1) select * from one;\n', []), {})
  for (const unprepared of ['begin', 'listen news', 'select 1; select 2', 'create table plates ()']) {
    assert.deepEqual(nameOf(unprepared, []), {})
  }
  const names = Array.from({ length: 2_000 }, (_, index) => nameOf(`select $1, ${index}`, [1]).name)
  assert.ok(new Set(names).size < 1_000)
  assert.equal(names.at(-1), undefined)
})
