import assert from 'node:assert/strict'
import { test } from 'node:test'
import { families } from '../families/index.ts'
import { heatsOf } from './heats.ts'
import { materialOf } from './material.ts'
import { type JsonObject, readCertificate } from './read-certificate.ts'

test('heats and batches are found in the certificates of every family', () => {
  const found = Object.fromEntries(
    families.map(({ name, samples }) => [
      name,
      samples.flatMap((sample) => heatsOf({ json: sample as JsonObject })),
    ]),
  )
  for (const { name } of families) assert.ok((found[name]?.length ?? 0) > 0, name)
  assert.deepEqual(found['en10168'], ['B-1', 'H-4711'])
  assert.deepEqual(found['metals'], ['B-1', 'H-4711'])
})

test('several heats, lists of them and properties named after them count once each', () => {
  const json = {
    B07: ['1', '2', ' 1 '],
    Inspection: [{ C00: '3' }, { C00: 4 }, { C00: '' }, { C00: { HeatNumber: '6' } }],
    ObjectProperties: [
      { Name: 'CastNo', Value: ['5', '2'] },
      { Name: 'Colour', Value: ['red'] },
    ],
  }
  assert.deepEqual(heatsOf({ json }), ['1', '2', '3', '4', '6', '5'])
})

test('the quantity of goods is found in the certificates of every family that has one', () => {
  const quantityOf = (json: unknown) =>
    materialOf(readCertificate(Buffer.from(JSON.stringify(json)))).quantity
  const found = families.flatMap(({ samples }) => samples.map(quantityOf))
  assert.equal(
    found.filter((quantity) => quantity === undefined).length,
    1,
    'the sample of EN 10168 has none',
  )
  const mass = { B13: { Value: '2400', Unit: 'kg' } }
  assert.equal(
    quantityOf({
      RefSchemaUrl: 'x',
      Certificate: { CommercialTransaction: {}, ProductDescription: mass, Inspection: [] },
    }),
    '2400 kg',
  )
})
