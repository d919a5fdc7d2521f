import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { certificateOf, inventedCertificate, inventedJson, pixel } from '../test/invented-certificate.ts'
import { type Certificate, readCertificate } from './certificate/read-certificate.ts'
import type { Block, DocumentModel, Table } from './model/document.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const documentOf = async (certificate: Certificate): Promise<DocumentModel> => {
  const entry = await registry.find(certificate.refSchemaUrl)
  assert.ok(entry)
  return toDocument(certificate, entry)
}

const blocksOf = (document: DocumentModel): readonly Block[] =>
  document.sections.flatMap(({ blocks }) => blocks)
const tablesOf = (document: DocumentModel): readonly Table[] =>
  blocksOf(document).flatMap((block) => (block.kind === 'table' ? [block.table] : []))
const fieldsOf = (document: DocumentModel) =>
  blocksOf(document).flatMap((block) => (block.kind === 'fields' ? block.fields : []))

const heat = (name: string, carbon: string, more: { [key: string]: JsonValue } = {}): JsonValue => ({
  C00: name,
  ChemicalComposition: {
    C71: { Symbol: 'C', Unit: '%', Actual: { Value: carbon }, Maximum: { Value: '0.20' } },
    C100: { Symbol: 'CEV', Unit: '%', Actual: { Value: '0.4', Operator: '<' } },
  },
  TensileTest: { C11: { Value: 355, Minimum: 345, Unit: 'MPa' }, C12: { Value: 510, Unit: 'MPa' } },
  NotchedBarImpactTest: {
    C42: [
      { Value: 40, Unit: 'J' },
      { Value: 42, Unit: 'J' },
    ],
    C43: { Value: 41, Unit: 'J' },
  },
  ...more,
})

describe('toDocument', () => {
  test('puts all heats into one table with elements as columns and the limits above', async () => {
    const document = await documentOf(
      inventedCertificate({ inspection: [heat('H1', '0.150'), heat('H2', '0.1')] }),
    )
    const chemistry = tablesOf(document).find(({ caption }) => caption?.[0]?.startsWith('Chemical') === true)
    assert.deepEqual(chemistry?.caption, ['Chemical composition (%)', 'Chemische Zusammensetzung (%)'])
    assert.deepEqual(
      chemistry.columns.map(({ label }) => label[0]),
      ['Heat number', 'C', 'CEV'],
    )
    assert.deepEqual(
      chemistry.columns.map(({ align }) => align),
      ['start', 'end', 'end'],
    )
    assert.deepEqual(chemistry.rows, [
      { cells: ['Maximum', '0.20', ''], emphasis: 'requirement' },
      { cells: ['H1', '0.150', '< 0.4'] },
      { cells: ['H2', '0.1', '< 0.4'] },
    ])
  })

  test('puts heats with different limits into different tables', async () => {
    const other = heat('H2', '0.1', {
      ChemicalComposition: { C71: { Symbol: 'C', Actual: '0.1', Maximum: '0.12' } },
    })
    const document = await documentOf(inventedCertificate({ inspection: [heat('H1', '0.15'), other] }))
    const chemistry = tablesOf(document).filter(
      ({ caption }) => caption?.[0]?.startsWith('Chemical') === true,
    )
    assert.deepEqual(
      chemistry.map(({ rows }) => rows.map(({ cells }) => cells.join(' '))),
      [
        ['Maximum 0.20 ', 'H1 0.15 < 0.4'],
        ['Maximum 0.12', 'H2 0.1'],
      ],
    )
  })

  test('makes one table per kind of mechanical test with a row for each heat', async () => {
    const document = await documentOf(
      inventedCertificate({ inspection: [heat('H1', '0.1'), heat('H2', '0.1')] }),
    )
    const named = (name: string) => tablesOf(document).find(({ caption }) => caption?.[0] === name)
    assert.deepEqual(named('Tensile test')?.rows, [
      { cells: ['Requirement / Anforderung', '≥ 345', ''], emphasis: 'requirement' },
      { cells: ['H1', '355', '510'] },
      { cells: ['H2', '355', '510'] },
    ])
    assert.deepEqual(
      named('Notched bar impact test')?.rows.map(({ cells }) => cells),
      [
        ['H1', '40', '42', '41'],
        ['H2', '40', '42', '41'],
      ],
    )
    assert.deepEqual(named('Tensile test')?.columns[1], {
      label: ['Yield or proof strength', 'Streck- oder Dehngrenze'],
      code: 'C11',
      unit: 'MPa',
      align: 'end',
    })
  })

  test('accepts a composition of fifty elements', async () => {
    const ChemicalComposition = Object.fromEntries(
      Array.from({ length: 44 }, (_, index) => [`C${index + 71}`, { Symbol: `E${index}`, Actual: '0.1' }]),
    )
    const document = await documentOf(inventedCertificate({ inspection: { C00: 'H1', ChemicalComposition } }))
    assert.equal(tablesOf(document)[0]?.columns.length, 45)
  })

  test('shows numbers with the digits of the certificate, and powers of ten as people write them', async () => {
    const json = JSON.stringify(
      inventedJson({ product: { B01: 'Bar', B02: 'x', B08: 8, B12: { Value: 7, Unit: 'kg' } } }),
    )
    const bytes = Buffer.from(json.replace('"B08":8', '"B08":8.00').replace('"Value":7', '"Value":1.0E+3'))
    const fields = fieldsOf(await documentOf(readCertificate(bytes)))
    assert.equal(fields.find(({ code }) => code === 'B08')?.value, '8.00')
    assert.equal(fields.find(({ code }) => code === 'B12')?.value, '1.0·10³')
  })

  test('uses at most two of the languages of the certificate, in their order', async () => {
    const titleIn = async (languages: readonly string[]) => {
      const document = await documentOf(inventedCertificate({ languages }))
      return [...document.languages, ...document.title]
    }
    assert.deepEqual(await titleIn(['PL', 'CN']), ['pl', 'zh', 'Świadectwo odbioru 3.1', '检验证书 3.1'])
    assert.deepEqual(await titleIn(['TR']), ['tr', 'Muayene sertifikası 3.1'])
    assert.deepEqual(await titleIn(['FR', 'ES', 'IT']), [
      'fr',
      'es',
      'Certificat de réception 3.1',
      'Certificado de inspección 3.1',
    ])
    assert.deepEqual(await titleIn([]), ['en', 'Inspection certificate 3.1'])
    assert.deepEqual(await titleIn(['<script>', 'XX']), ['xx', 'Inspection certificate 3.1'])
  })

  test('shows a placeholder and adds a warning for a picture that cannot be decoded', async () => {
    const { transaction } = { transaction: inventedJson().Certificate.CommercialTransaction }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    const document = await documentOf(
      inventedCertificate({
        transaction: { ...(transaction as object), A04: `data:image/svg+xml;base64,${svg}` },
        validation: {
          Z01: 'x',
          Z02: '2026-01-31',
          Z03: { Name: 'I', Title: 'T', StampImage: pixel().slice(0, 60) },
        },
      }),
    )
    assert.ok(document.logo !== undefined && 'missing' in document.logo)
    assert.match(document.logo.missing.join(), /Mark of the manufacturer: The picture could not be read/)
    assert.deepEqual(
      document.warnings.map(({ pointer, reason }) => `${pointer} ${reason}`),
      [
        '/Certificate/CommercialTransaction/A04 The picture is an SVG drawing: only PNG and JPEG are shown',
        '/Certificate/Validation/Z03/StampImage The picture is cut off',
      ],
    )
  })

  test('gives attachments safe names, and adds a warning for those that cannot be decoded', async () => {
    const attachment = (FileName: string, Data: string, Encoding = 'base64') => ({
      Hash: { Algorithm: 'SHA256', Encoding: 'hex', Value: 'ab' },
      FileName,
      'MIME-Type': 'text/html; charset=x',
      Encoding,
      Data,
    })
    const { Certificate: content, ...rest } = inventedJson()
    const document = await documentOf(
      certificateOf({
        ...rest,
        Certificate: {
          ...content,
          Attachments: [
            attachment('../../etc/pass\u0007wd', 'aGk='),
            attachment('b.bin', '6869', 'hex'),
            attachment('c.bin', 'not base64!'),
          ],
        },
      }),
    )
    const type = 'application/octet-stream'
    assert.deepEqual(document.files, [
      { name: 'passwd', type, base64: 'aGk=', description: 'SHA256 ab' },
      { name: 'b.bin', type, base64: 'aGk=', description: 'SHA256 ab' },
    ])
    assert.deepEqual(
      document.warnings.map(({ pointer }) => pointer),
      ['/Certificate/Attachments/2/Data'],
    )
  })

  test('returns the same document for the same certificate', async () => {
    const certificate = inventedCertificate({ inspection: [heat('H1', '0.1')] })
    assert.deepEqual(await documentOf(certificate), await documentOf(certificate))
  })
})
