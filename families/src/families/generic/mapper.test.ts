import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { certificateOf } from '../../../test/invented-certificate.ts'
import type { DocumentModel } from '../../model/document.ts'
import { toDocument } from '../../to-document.ts'

const blocksOf = ({ sections }: DocumentModel) => sections.flatMap(({ blocks }) => blocks)
const tablesOf = (document: DocumentModel) =>
  blocksOf(document).flatMap((block) => (block.kind === 'table' ? [block.table] : []))
const fieldsOf = (document: DocumentModel) =>
  blocksOf(document).flatMap((block) => (block.kind === 'fields' ? block.fields : []))

describe('the document of a certificate without a family', () => {
  const schema = {
    title: 'Valve certificate',
    properties: {
      Valve: {
        $ref: '#/$defs/Valve',
      },
    },
    $defs: {
      Valve: {
        allOf: [
          {
            properties: {
              NominalBore: { title: 'Nominal bore DN' },
              PressureRating: { description: 'Rating' },
            },
          },
          { properties: { Tests: { items: { properties: { Kind: { title: 'Kind of test' } } } } } },
        ],
      },
    },
  }
  const mapped = (json: { [key: string]: JsonValue }) =>
    toDocument(certificateOf({ RefSchemaUrl: 'https://example.org/x', ...json }), {
      family: 'valve',
      labels: new Map(),
      schema,
    })

  test('takes labels from titles, short descriptions and names, and makes tables of lists', () => {
    const document = mapped({
      Valve: {
        Id: 'V-1',
        NominalBore: 50,
        PressureRating: 'PN 16',
        isTested: true,
        CountryOfOrigin: 'AT',
        Tests: [
          { Kind: 'Shell', Result: { Value: '1.5', Unit: 'bar' } },
          { Kind: 'Body', Note: 'dry' },
        ],
      },
    })
    assert.equal(document.number, 'V-1')
    assert.deepEqual(
      fieldsOf(document).map(({ label, value }) => `${label.join()}: ${value}`),
      [
        'Id: V-1',
        'Nominal bore DN: 50',
        'Rating: PN 16',
        'Is tested: Yes',
        'Country of origin: AT',
        'Schema of the certificate: https://example.org/x',
        'Is tested: true',
      ],
    )
    const [tests] = tablesOf(document)
    assert.deepEqual(
      tests?.columns.map(({ label }) => label.join()),
      ['Kind of test', 'Result', 'Note'],
    )
    assert.deepEqual(
      tests.rows.map(({ cells }) => cells),
      [
        ['Shell', '1.5 · bar', ''],
        ['Body', '', 'dry'],
      ],
    )
  })

  test('stays small for deeply nested and unusual certificates', () => {
    let deep: JsonValue = { x: 'end' }
    for (let level = 0; level < 50; level += 1) deep = { level: deep, list: [[level]] }
    const document = mapped({ a: deep, b: null, c: [], d: '', e: [[1], [2]], f: 'x'.repeat(20_000) })
    assert.ok(JSON.stringify(document).length < 20_000)
    assert.ok(fieldsOf(document).some(({ value }) => value === '…'))
  })
})
