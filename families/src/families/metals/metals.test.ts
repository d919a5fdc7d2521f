import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { certificateOf } from '../../../test/invented-certificate.ts'
import { createRegistry } from '../../registry/registry.ts'
import { toDocument } from '../../to-document.ts'
import sample from './sample.json' with { type: 'json' }

const registry = createRegistry({ log: { warn: assert.fail } })

const number = (value: number) => ({ ResultType: 'numeric', Value: value })

const tablesWith = async (property: object, languages = ['EN']) => {
  const passport = sample.DigitalMaterialPassport
  const certificate = certificateOf({
    ...sample,
    DigitalMaterialPassport: { ...passport, Languages: languages, MechanicalProperties: [property] },
  })
  const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
  return toDocument(certificate, entry)
    .sections.filter(({ name }) => name === 'MechanicalProperties')
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'table' ? block.table.rows.map(({ cells }) => cells) : []))
}

describe('a property of a metal on paper', () => {
  test('has each limit once: statistics do not repeat it, nor one of the values', async () => {
    const rows = await tablesWith({
      PropertyName: 'Impact energy',
      Actual: {
        ResultType: 'multiValue',
        Values: [36, 30, 37].map(number),
        Statistics: { Average: number(34.3), Median: number(36), Minimum: number(22), Maximum: number(37.4) },
      },
      Minimum: number(22),
    })
    assert.deepEqual(rows, [
      ['Impact energy', '22', '36 / 30 / 37', '34.3'],
      ['Impact energy', 'max 37.4'],
    ])
  })

  test('passed or did not, in the languages of the certificate, where it has no number', async () => {
    const found = (Value: boolean) => ({
      PropertyName: 'Macro etch',
      Actual: { ResultType: 'boolean', Value, Description: 'No evidence of pipe' },
    })
    assert.deepEqual(await tablesWith(found(true), ['EN', 'DE']), [
      ['Macro etch', 'Passed / Bestanden: No evidence of pipe'],
    ])
    assert.deepEqual(await tablesWith(found(false), ['DE']), [
      ['Macro etch', 'Nicht bestanden: No evidence of pipe'],
    ])
  })

  test('has powers of ten as people write them', async () => {
    const rows = await tablesWith({ PropertyName: 'Permeability', Actual: number(2.3e-9) })
    assert.deepEqual(rows, [['Permeability', '2.3·10⁻⁹']])
  })
})
