import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tableOf } from './table.ts'

const rows = [
  { id: '1', state: 'notarized', about: 'Plate' },
  { id: '22', state: 'failed', about: 'a name\nof more than one line, and longer than any column may be' },
]
const columns = ['id', 'state', 'about']

describe('a table', () => {
  test('gives each column what its longest value needs, and cuts what is longer than any column', () => {
    assert.deepEqual(tableOf(rows, { columns, width: 100 }).split('\n'), [
      'ID  STATE      ABOUT',
      '1   notarized  Plate',
      '22  failed     a name of more than one line, and longe…',
      '',
    ])
  })

  test('leaves out on the right what has no room, but never the first column', () => {
    assert.equal(tableOf(rows, { columns, width: 20 }), 'ID  STATE\n1   notarized\n22  failed\n')
    assert.equal(tableOf(rows, { columns, width: 1 }), 'ID\n1\n22\n')
  })

  test('in a pipe has every column, whole, between tabs and without a heading', () => {
    assert.equal(
      tableOf(rows, { columns, width: undefined }),
      '1\tnotarized\tPlate\n22\tfailed\ta name of more than one line, and longer than any column may be\n',
    )
  })
})
