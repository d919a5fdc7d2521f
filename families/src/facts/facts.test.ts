import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Fact } from './fact.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { realCertificate, realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { factsOf } from './facts-of.ts'
import { chemicalName, mechanicalName } from './names.ts'

const factsIn = (text: string): readonly Fact[] => factsOf(readCertificate(Buffer.from(text)))
const refSchemaUrl = 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json'
const steel = (inspection: string): readonly Fact[] =>
  factsIn(
    `{"RefSchemaUrl":"${refSchemaUrl}","Certificate":{"CommercialTransaction":{},"Inspection":${inspection}}}`,
  )
const valueAt = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], root)
const named = (facts: readonly Fact[], of: string) => facts.filter((fact) => fact.of === of)

describe('a fact', () => {
  test('has the text of the number in the file, whose zeros say how exactly it was measured', () => {
    const found = steel(
      '{"TensileTest":{"C11":{"Property":"ReH","Value":355.0,"Minimum":3.50e2,"Unit":"MPa"}}}',
    )
    assert.deepEqual(
      found.map(({ of, value, limits }) => [of, value, limits?.min?.value]),
      [['ReH', '355.0', '3.50e2']],
    )
  })

  test('of cerium is none of the carbon equivalent, whatever the case of other symbols', () => {
    const names = ['Ce', 'CE', 'CEV', 'CE (IIW)', 'PCM', 'AL', 'CR', 'H2', 'RE', 'Re', 'Alt']
    const expected = ['Ce', 'CE', 'CEV', 'CEV', 'Pcm', 'Al', 'Cr', 'H', 'RE', 'Re', 'Alt']
    assert.deepEqual(names.map(chemicalName), expected)
  })

  test('named Re is rhenium in an analysis and a yield strength in a tensile test', () => {
    assert.equal(chemicalName('Re'), 'Re')
    assert.equal(mechanicalName('Re', 'Yield Strength'), 'yield strength')
  })

  test('of a mechanical property has the name that the printed one means, and never that of an element', () => {
    const names: readonly (readonly [printed: string, of: string])[] = [
      ['Streckgrenze ReH/RP0,2', 'yield strength'],
      ['RP0,2', 'Rp0.2'],
      ['ReH', 'ReH'],
      ['Zugfestigkeit Rm', 'Rm'],
      ['Re/Rm', 'Re/Rm'],
      ['Bruchdehnung A5/A80', 'elongation'],
      ['A5', 'A'],
      ['A80', 'A80'],
      ['Impact test ISO-V', 'KV'],
      ['Brinell', 'HBW'],
      ['HV10', 'HV'],
      ['Purity A thin', 'Purity A thin'],
      ['S', '–'],
    ]
    assert.deepEqual(
      names.map(([printed]) => mechanicalName(printed)),
      names.map(([, of]) => of),
    )
  })

  test('below the limit of detection keeps its operator, in a text and in an object', () => {
    const share = (actual: string): Fact | undefined =>
      steel(`{"ChemicalComposition":{"C71":{"Symbol":"B","Actual":${actual}}}}`)[0]
    for (const actual of ['"<0.005"', '"< 0.005"', '{"Value":"0.005","Operator":"<"}'])
      assert.deepEqual([share(actual)?.operator, share(actual)?.value], ['<', '0.005'], actual)
    assert.equal(share('"≤0.005"')?.operator, '<=')
  })

  test('names the heat of its own inspection', () => {
    const heat = (name: string, carbon: string) =>
      `{"C00":"${name}","C03":"-20 °C","ChemicalComposition":{"C71":{"Symbol":"C","Actual":{"Value":"${carbon}"}}},"NotchedBarImpactTest":{"C43":{"Value":61}}}`
    const found = steel(`[${heat('H-1', '0.150')},${heat('H-2', '0.160')}]`)
    assert.deepEqual(
      found.map(({ of, value, heat: of1, condition, pointer }) => [of, value, of1, condition, pointer]),
      [
        ['C', '0.150', 'H-1', undefined, '/Certificate/Inspection/0/ChemicalComposition/C71/Actual/Value'],
        ['KV', '61', 'H-1', '-20 °C', '/Certificate/Inspection/0/NotchedBarImpactTest/C43/Value'],
        ['C', '0.160', 'H-2', undefined, '/Certificate/Inspection/1/ChemicalComposition/C71/Actual/Value'],
        ['KV', '61', 'H-2', '-20 °C', '/Certificate/Inspection/1/NotchedBarImpactTest/C43/Value'],
      ],
    )
  })

  test('of a printed mean has its single values; without a mean each value is a fact', () => {
    const values = '"C42":[{"Value":61,"Unit":"J"},{"Value":58.0,"Unit":"J"}]'
    const mean = steel(`{"NotchedBarImpactTest":{${values},"C43":{"Value":59.5,"Minimum":27}}}`)
    assert.deepEqual(
      mean.map(({ value, series, limits }) => [value, series, limits?.min?.value]),
      [['59.5', ['61', '58.0'], '27']],
    )
    const single = steel(`{"NotchedBarImpactTest":{${values}}}`)
    assert.deepEqual(
      single.map(({ value, series }) => [value, series]),
      [
        ['61', undefined],
        ['58.0', undefined],
      ],
    )
  })

  test('of a test of two objects belongs to no single heat', () => {
    const family = families.find(({ name }) => name === 'e-coc')
    const objects = ['1', '2'].map((id) => ({
      ObjectId: id,
      ObjectProperties: [{ Name: 'CastNo', Value: [`H-${id}`] }],
    }))
    const test1 = {
      RefObjectIDs: ['1', '2'],
      TestValues: [{ ValueName: 'Rm', ActualFrom: '500', ActualTo: '510' }],
    }
    const found = family?.facts({
      EcocData: { Data: { ObjectOfDeclaration: objects }, Results: { MaterialCertification: [test1] } },
    })
    assert.deepEqual(
      found?.map(({ of, value, heat }) => [of, value, heat]),
      [
        ['heat', 'H-1', undefined],
        ['heat', 'H-2', undefined],
        ['tested heat', 'H-1', undefined],
        ['tested heat', 'H-2', undefined],
        ['Rm', '500', undefined],
        ['Rm', '510', undefined],
      ],
    )
  })

  const samples = families.flatMap(({ samples: all }) => all.map((sample) => JSON.stringify(sample)))
  test('leads back to its value, in every family', () => {
    for (const text of samples) {
      const certificate = readCertificate(Buffer.from(text))
      const found = factsOf(certificate)
      assert.ok(found.length > 5)
      for (const { of, pointer, value } of found)
        if (of !== 'tested heat')
          assert.ok(String(valueAt(certificate.json, pointer)).includes(value), pointer)
    }
  })

  test('leads back to its value, in every published certificate', { skip: withoutRealCertificates }, () => {
    for (const { name, bytes, isValid } of realCertificates().filter((one) => one.isValid)) {
      const certificate = readCertificate(bytes)
      const found = factsOf(certificate)
      assert.ok(isValid && found.length > 0, name)
      for (const { of, pointer } of found)
        if (of !== 'tested heat')
          assert.ok(
            ['string', 'number'].includes(typeof valueAt(certificate.json, pointer)),
            `${name} ${pointer}`,
          )
    }
  })

  test('named Re of a published certificate is rhenium', { skip: withoutRealCertificates }, () => {
    const found = factsOf(readCertificate(realCertificate('en10168/v0.5.0/valid_certificate_9.json')))
    assert.deepEqual(
      named(found, 'Re').map(({ value, unit }) => `${value} ${unit}`),
      ['0.0001 %'],
    )
    assert.deepEqual(
      ['Ce', 'CE', 'yield strength'].map((of) => named(found, of).map(({ value }) => value)),
      [['0.0002'], ['0.42'], ['377.12']],
    )
  })
})
