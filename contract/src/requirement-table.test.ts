import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRequirementTable, rowOfRule, ruleOfRow } from './requirement-table.ts'

const rulesIn = (text: string) => readRequirementTable(text).rows.map(ruleOfRow)

describe('a table of rules', () => {
  test('is read from the CSV that the documentation describes', () => {
    const csv = [
      'of,min,max,unit,thickness_above,thickness_up_to,at',
      'C,,0.18,%,,,',
      'ReH,350,,MPa,,16,',
      'ReH,340,,MPa,16,40,',
      'KV,27,,J,,,"-20 °C"',
    ].join('\r\n')
    assert.deepEqual(rulesIn(`\u{FEFF}${csv}\r\n`), [
      { of: 'C', max: '0.18', unit: '%' },
      { of: 'ReH', min: '350', unit: 'MPa', when: { thickness: { upTo: '16' } } },
      { of: 'ReH', min: '340', unit: 'MPa', when: { thickness: { above: '16', upTo: '40' } } },
      { of: 'KV', min: '27', unit: 'J', at: '-20 °C' },
    ])
  })

  test('is read from a spreadsheet in German, and keeps the digits of each limit', () => {
    const pasted =
      'Eigenschaft\tMindestwert\tHöchstwert\tEinheit\tDicke über\tDicke bis (mm)\nC\t\t0,20\t%\t\t\nRm\t470\t630\tMPa\t\t100'
    assert.deepEqual(rulesIn(pasted), [
      { of: 'C', max: '0.20', unit: '%' },
      { of: 'Rm', min: '470', max: '630', unit: 'MPa', when: { thickness: { upTo: '100' } } },
    ])
  })

  test('needs no head', () => {
    assert.deepEqual(rulesIn('Mn;;1,60;%\nSi;;0,55;%'), [
      { of: 'Mn', max: '1.60', unit: '%' },
      { of: 'Si', max: '0.55', unit: '%' },
    ])
  })

  test('leaves a comma that may separate thousands for the reader of requirements to refuse', () => {
    assert.deepEqual(rulesIn('Rm;1,234;;MPa'), [{ of: 'Rm', min: '1,234', unit: 'MPa' }])
    assert.deepEqual(rulesIn('B;0,001;;%'), [{ of: 'B', min: '0.001', unit: '%' }])
  })

  test('says which headings mean nothing, and reads nothing below them', () => {
    const { rows, unknown } = readRequirementTable('of,max,remark,unit\nC,0.2,as agreed,%')
    assert.deepEqual(unknown, ['remark'])
    assert.deepEqual(rows.map(ruleOfRow), [{ of: 'C', max: '0.2', unit: '%' }])
  })

  test('has lines for rules, and none for those that say more', () => {
    const rule = { of: 'ReH', min: '350', unit: 'MPa', when: { thickness: { above: '16' } } }
    const row = rowOfRule(rule) ?? assert.fail()
    assert.deepEqual(ruleOfRow(row), rule)
    for (const more of [
      { ifMissing: 'pass' as const },
      { calculated: true },
      { each: { min: '19' } },
      { when: { width: { upTo: '100' } } },
    ])
      assert.equal(rowOfRule({ ...rule, ...more }), undefined)
    assert.equal(rowOfRule({ anyOf: [{ of: 'N' }, { of: 'Al' }] }), undefined)
  })
})
