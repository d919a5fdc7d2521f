import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Column } from './columns.ts'
import { numberOf, readJson, writeJson } from './json.ts'
import { understand } from './paste.ts'

const column = (id: string, text: string): Column => ({
  id,
  label: { code: id, text },
  codec: { kind: 'number', show: () => '', read: (value) => value },
  pointer: (row) => `${row}/${id}`,
  entry: (row) => `${row}/${id}`,
  further: ['Property', 'Unit'],
  furtherCodec: () => undefined,
  write: () => {},
  isOwn: false,
})

const english = ['Heat number', 'Yield or proof strength', 'Tensile strength', 'Elongation after fracture']
const german = ['Schmelzennummer', 'Streck- oder Dehngrenze', 'Zugfestigkeit', 'Bruchdehnung']
const ids = ['C00', 'C11', 'C12', 'C13']

const pasted = (head: string, labels = english, joined = new Map<string, string>()) =>
  understand(`${head}\nH1\t386\t534\t26,0`, {
    columns: labels.map((text, at) => column(ids[at] ?? '', text)),
    rowNames: [''],
    at: { row: 0, column: 0 },
    takesNew: false,
    further: [
      { name: 'Property', text: 'Property' },
      { name: 'Unit', text: 'Unit' },
    ],
    joined,
  })

describe('a pasted tensile table', () => {
  for (const head of [
    'Heat\tRe\tRm\tA',
    'Heat\tReH\tRm\tA5',
    'Heat\tReH (MPa)\tRm (MPa)\tA5 (%)',
    'Heat\tRp0,2 [N/mm²]\tRm [N/mm²]\tA50mm %',
    'Heat\tYield strength\tTensile strength\tElongation',
    'Heat\tYield strength ReH\tUTS\tElongation A5',
    'Schmelze\tStreckgrenze\tZugfestigkeit\tBruchdehnung',
    'Charge\tDehngrenze Rp0,2\tZugfestigkeit Rm\tDehnung A5',
  ])
    test(`is understood whole under ${head.replaceAll('\t', ' · ')}, in both languages`, () => {
      for (const labels of [english, german]) {
        const { cells, unknown } = pasted(head, labels)
        assert.deepEqual(unknown, [])
        assert.deepEqual(
          cells.map(({ column: id, text }) => [id, text]),
          [
            ['C00', 'H1'],
            ['C11', '386'],
            ['C12', '534'],
            ['C13', '26,0'],
          ],
        )
      }
    })

  test('says which strength and elongation it has, and in which unit', () => {
    assert.deepEqual(pasted('Heat\tReH (MPa)\tRm (MPa)\tA5').further, [
      { name: 'Property', column: 'C11', text: 'ReH' },
      { name: 'Unit', column: 'C11', text: 'MPa' },
      { name: 'Unit', column: 'C12', text: 'MPa' },
      { name: 'Property', column: 'C13', text: 'A5' },
    ])
  })

  test('names a heading that nobody knows, and takes it as the column that somebody chose', () => {
    assert.deepEqual(pasted('Heat\tFoo\tRm\tA').unknown, ['Foo'])
    const joined = pasted('Heat\tFoo\tRm\tA', english, new Map([['Foo', 'C11']]))
    assert.deepEqual(joined.unknown, [])
    assert.ok(joined.cells.some(({ column: id, text }) => id === 'C11' && text === '386'))
  })
})

test('a certificate keeps the digits of its numbers, and its texts', () => {
  const text =
    '{"Value":26.0,"Minimum":1e3,"Name":"{\\"$digits\\":\\"1.0\\"} 5.00","Whole":530,"Other":[0.10,-2]}'
  assert.equal(writeJson(readJson(text)), text)
  assert.equal(numberOf('530'), 530)
})
