import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { certificateOf, inventedCertificate } from '../test/invented-certificate.ts'
import { coaOf01 } from '../test/old-coa.ts'
import { draftECoc, oldEn10168, oldMetals } from '../test/old-certificates.ts'
import type { Certificate } from './certificate/read-certificate.ts'
import metalsSample from './families/metals/sample.json' with { type: 'json' }
import type { Table } from './model/document.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const tablesOf = async (certificate: Certificate): Promise<readonly Table[]> => {
  const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
  return toDocument(certificate, entry).sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : [])),
  )
}
const named = (tables: readonly Table[], caption: string): Table =>
  tables.find((table) => table.caption?.[0]?.startsWith(caption)) ?? assert.fail(`no table ${caption}`)
const heads = ({ columns }: Table) =>
  columns.map(({ label, unit }) => (unit === undefined ? label[0] : `${label[0]} (${unit})`))
const cells = ({ rows }: Table) => rows.map((row) => row.cells)

describe('tables', () => {
  test('show a series of statements as one row, not as a list', async () => {
    const hardness = ['1.5', '3', '5'].map((at, index) => [
      `C${50 + index}`,
      { Key: `Jominy J${at}`, Value: String(58 - index), Unit: 'HRC' },
    ])
    const purity = ['A thin', 'A thick', 'B thin'].map((at, index) => [
      `C1${10 + index}`,
      { Key: `Purity ${at}`, Value: `${index}.5` },
    ])
    const other = { C60: { Key: 'Bend test', Value: 'passed' } }
    const tables = await tablesOf(
      inventedCertificate({
        inspection: {
          C00: 'H1',
          OtherMechanicalTests: { ...Object.fromEntries(hardness), ...other },
          ChemicalComposition: { SupplementaryInformation: Object.fromEntries(purity) },
        },
      }),
    )
    const jominy = named(tables, 'Jominy')
    assert.deepEqual(heads(jominy), ['J1.5', 'J3', 'J5'])
    assert.deepEqual(cells(jominy), [['58', '57', '56']])
    assert.deepEqual(jominy.caption, ['Jominy (HRC)'])
    assert.deepEqual(heads(named(tables, 'Purity')), ['A thin', 'A thick', 'B thin'])
    assert.deepEqual(cells(named(tables, 'Other mechanical tests')), [['C60', 'Bend test', 'passed']])
  })

  test('of an E-CoC have one column per element, and its unit as a sign', async () => {
    const tables = await tablesOf(certificateOf(draftECoc()))
    const chemistry = named(tables, 'Chemical composition (%)')
    assert.deepEqual(heads(chemistry), ['Element', 'Si', 'Others, each'])
    assert.deepEqual(cells(chemistry), [
      ['Maximum', '0.40', '0.05'],
      ['Actual from', '0.24', '0.01'],
      ['Actual to', '0.24', '0.02'],
    ])
  })

  test('have a unit that all rows share in their head', async () => {
    const [results] = await tablesOf(
      certificateOf({
        ...coaOf01('0.2.0'),
        Certificate: {
          ...(coaOf01('0.2.0')['Certificate'] as object),
          Analysis: {
            Inspections: ['1', '2'].map((number) => ({
              Property: `P${number}`,
              Method: 'M',
              Unit: 'MPa',
              Value: `${number}0.50`,
              ValueType: 'number',
            })),
          },
        },
      }),
    )
    assert.deepEqual(heads(results ?? assert.fail()), ['Property', 'Method', 'Value (MPa)'])
  })

  test('say per cent for shares without a unit, except in the drafts', async () => {
    const captions = async (version: string) =>
      (await tablesOf(certificateOf(oldEn10168(version)))).flatMap(({ caption }) => caption?.[0] ?? [])
    assert.ok((await captions('0.2.0')).includes('Chemical composition (%)'))
    assert.ok((await captions('0.0.2')).includes('Chemical composition'))
  })

  test('of metals have one column per parameter; series over the same parameters share a table', async () => {
    const numeric = (Value: number) => ({ ResultType: 'numeric', Value })
    const series = (PropertyName: string, values: readonly number[]) => ({
      PropertyName,
      Unit: 'HRC',
      Actual: {
        ResultType: 'array',
        ParameterName: 'Distance',
        ParameterUnit: 'mm',
        Data: values.map((value, index) => ({
          Parameter: `${index + 1}.5`,
          Value: numeric(value),
          Minimum: numeric(40),
        })),
      },
    })
    const { DigitalMaterialPassport: passport } = metalsSample
    const tables = await tablesOf(
      certificateOf({
        ...metalsSample,
        DigitalMaterialPassport: {
          ...passport,
          SupplementaryTests: [series('Jominy top', [50, 48]), series('Jominy bottom', [51, 47])],
        },
      }),
    )
    const jominy = tables.find(({ columns }) => columns[0]?.label[0] === 'Distance') ?? assert.fail()
    assert.deepEqual(heads(jominy), ['Distance (mm)', '1.5', '2.5'])
    assert.deepEqual(cells(jominy), [
      ['Jominy top · Minimum', '40', '40'],
      ['Jominy top · Actual / Istwert', '50', '48'],
      ['Jominy bottom · Minimum', '40', '40'],
      ['Jominy bottom · Actual / Istwert', '51', '47'],
    ])
  })

  test('show results of older passports that are lists or tables themselves', async () => {
    const tables = await tablesOf(certificateOf(oldMetals('0.0.1')))
    assert.deepEqual(heads(named(tables, 'Fatigue')), ['Cycles (N)', '10000', '50000'])
    assert.deepEqual(cells(named(tables, 'Fatigue')), [['Actual', '650', '635']])
    assert.deepEqual(heads(named(tables, 'Beam')), ['Size', 'Value (mm)'])
    assert.deepEqual(cells(named(tables, 'Beam')), [
      ['Height', '200.5'],
      ['Length', '12000.5'],
    ])
  })
})
