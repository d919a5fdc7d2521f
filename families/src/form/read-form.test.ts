import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { inEnglish } from '@millseal/contract/reasons'
import { readCertificate } from '../certificate/read-certificate.ts'
import { textsAt } from '../certificate/shown.ts'
import { families } from '../families/index.ts'
import { noLabels } from '../labels/labels.ts'
import { createEntry } from '../registry/create-entry.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { validate } from '../validate/validate.ts'
import { inBrief } from './in-brief.ts'
import { markSchema } from './mark-schema.ts'
import { readForm } from './read-form.ts'

const entries = ownEntries([])
const wanted = { languages: ['en', 'de'], id: '01890000-0000-7000-8000-000000000000' }
const entryOf = (type: string, version = '1.0.0'): SchemaEntry =>
  entries.find((entry) => entry.type === type && entry.version === version) ?? assert.fail()
const en10168 = entryOf('en10168-schemas')

/** Every pointer of a marked certificate that one of these fields stands for. */
const covered = (fields: readonly string[], leaves: readonly string[]): readonly string[] =>
  fields.flatMap((field) => leaves.filter((leaf) => leaf === field || leaf.startsWith(`${field}/`)))

describe('the form of a schema', () => {
  for (const entry of entries)
    test(`${entry.type} ${entry.version} has every field once, with labels, and is small`, () => {
      const form = readForm(entry, wanted)
      const { leaves, places } = markSchema(entry.schema)
      const fields = form.groups.flatMap((group) => group.fields)
      assert.deepEqual(covered(fields, leaves).toSorted(), leaves.toSorted())
      assert.deepEqual(Object.keys(form.labels), [...places.keys()])
      for (const [name, label] of Object.entries(form.labels))
        for (const language of wanted.languages) assert.ok((label[language] ?? '').length > 0, name)
      const bytes = gzipSync(JSON.stringify({ schema: entry.schema, ...form })).length
      assert.ok(bytes < 12_000, `${bytes} bytes with gzip`)
    })

  test('says where the companies are that receive a certificate, as its family finds them', () => {
    const partiesOf = (type: string) => readForm(entryOf(type), wanted).parties
    assert.deepEqual(
      partiesOf('en10168-schemas'),
      ['A06', 'A06.1', 'A06.2', 'A06.3'].map((code) => `/Certificate/CommercialTransaction/${code}`),
    )
    assert.deepEqual(
      partiesOf('coa-schemas'),
      ['Customer', 'Receiver', 'GoodsReceiver', 'ConsigneeOfCertificate'].map(
        (role) => `/Certificate/Parties/${role}`,
      ),
    )
    assert.deepEqual(
      partiesOf('metals-schemas'),
      ['Customer', 'GoodsReceiver', 'CertificateReceiver'].map(
        (role) => `/DigitalMaterialPassport/TransactionData/Parties/${role}`,
      ),
    )
    assert.deepEqual(partiesOf('forestry-schemas'), ['/DigitalMaterialPassport/Customer'])
    assert.deepEqual(partiesOf('e-coc-schemas'), ['/EcocData/Data/Parties/*'])
  })

  test('has the sections of the paper in their order, in the languages that are asked for', () => {
    const { groups } = readForm(en10168, wanted)
    assert.deepEqual(
      groups.map(({ name, label }) => [name, label?.['de']]),
      [
        ['Parties', undefined],
        ['CommercialTransaction', 'Geschäftsvorgang'],
        ['ProductDescription', 'Erzeugnis'],
        ['Inspection', 'Prüfung'],
        ['OtherTests', 'Sonstige Prüfungen'],
        ['Validation', 'Bestätigung'],
        ['FurtherData', 'Weitere Daten der Datei'],
      ],
    )
  })

  test('has the fields in the order of the paper, which is not that of the schema', () => {
    const { groups } = readForm(en10168, wanted)
    const fields = groups.find(({ name }) => name === 'CommercialTransaction')?.fields ?? []
    const codes = fields.map((field) => field.split('/').at(-1) ?? '').filter((name) => /^A\d\d$/.test(name))
    assert.deepEqual(codes, ['A02', 'A03', 'A04', 'A05', 'A07', 'A97', 'A08', 'A09', 'A98', 'A96', 'A99'])
    assert.ok(fields.includes('/Certificate/CommercialTransaction/SupplementaryInformation/*/Key'))
    assert.ok(groups[0]?.fields.includes('/Certificate/CommercialTransaction/A06.1'))
  })

  test('has codes beside the fields that have them on paper, and the labels of the paper', () => {
    const { labels } = readForm(en10168, wanted)
    assert.deepEqual(labels['CommercialTransaction/A03'], {
      code: 'A03',
      en: 'Document number',
      de: 'Nummer der Bescheinigung',
    })
    assert.equal(labels['B02/SteelDesignation']?.['code'], undefined)
    for (const { name } of families.filter((family) => family.name !== 'en10168')) {
      const entry = entries.find(({ family }) => family === name) ?? assert.fail()
      const other = Object.values(readForm(entry, wanted).labels)
      assert.ok(
        other.every((label) => label['code'] === undefined),
        name,
      )
    }
    const [label] = Object.values(readForm(en10168, { ...wanted, languages: ['xx'] }).labels)
    assert.deepEqual(label, { xx: 'Schema of the certificate' }, 'the English label')
  })

  test('has an empty certificate that only lacks values', () => {
    for (const entry of entries) {
      const { template } = readForm(entry, wanted)
      assert.equal(template['RefSchemaUrl'], entry.id)
      const certificate = readCertificate(Buffer.from(JSON.stringify(template)))
      for (const { pointer, reason } of validate(certificate, entry))
        assert.match(inEnglish(reason), /missing|needs|require|fewer/, `${entry.id} ${pointer}`)
    }
    const { template } = readForm(en10168, wanted)
    assert.deepEqual(template, {
      RefSchemaUrl: en10168.id,
      DocumentMetadata: { id: wanted.id, version: 1, state: 'draft' },
      Certificate: {
        CertificateLanguages: ['EN', 'DE'],
        CommercialTransaction: { A01: {} },
        ProductDescription: {},
        Validation: {},
      },
    })
    const french = readForm(en10168, { ...wanted, languages: ['sv', 'fr'] }).template['Certificate']
    assert.deepEqual(textsAt(french, 'CertificateLanguages'), ['FR'])
  })
})

describe('the form of an imported schema', () => {
  const imported = (schema: object): SchemaEntry =>
    createEntry({
      type: 'valve-schemas',
      version: '1.2.0',
      urls: ['https://example.org/valve-schemas/v1.2.0/schema.json'],
      origin: 'pack',
      schema: schema as SchemaEntry['schema'],
      labels: noLabels,
    })

  test('has its titles as labels', () => {
    const Bore = { type: 'number', title: 'Inner diameter' }
    const entry = imported({
      properties: { RefSchemaUrl: {}, Valve: { type: 'object', properties: { Bore, SeatRing: {} } } },
    })
    const { labels, groups } = readForm(entry, wanted)
    assert.deepEqual(labels['Valve/Bore'], { en: 'Inner diameter', de: 'Inner diameter' })
    assert.deepEqual(labels['Valve/SeatRing'], { en: 'Seat ring', de: 'Seat ring' })
    assert.deepEqual(
      covered(
        groups.flatMap(({ fields }) => fields),
        ['/Valve/Bore', '/Valve/SeatRing'],
      ).length,
      2,
    )
  })

  test('ends where the schema contains itself, and where it has too many fields', () => {
    const Part = {
      properties: { Name: { type: 'string' }, Parts: { type: 'array', items: { $ref: '#/$defs/Part' } } },
    }
    const { leaves } = markSchema(
      imported({ $defs: { Part }, properties: { Root: { $ref: '#/$defs/Part' } } }).schema,
    )
    assert.deepEqual(leaves, ['/Root/Name', '/Root/Parts/*'])
    const level = (depth: number): object =>
      depth === 0
        ? { type: 'string' }
        : { properties: Object.fromEntries([...'abcdefghij'].map((name) => [name, level(depth - 1)])) }
    const wide = markSchema(imported({ properties: { Root: level(4) } }).schema)
    assert.equal(wide.leaves.length, 2_000)
  })
})

test('fields of one property stay together, at the place of the first', () => {
  const leaf = (pointer: string, rank: number) => ({ pointer, rank, isHere: rank >= 0 })
  const leaves = [
    leaf('/C/A/x', 3),
    leaf('/C/A/y', 1),
    leaf('/C/B', 2),
    leaf('/C/D/*/z', 0),
    leaf('/C/E', -1),
  ]
  assert.deepEqual(inBrief(leaves, new Set()), ['/C/D', '/C/A/y', '/C/A/x', '/C/B'])
  assert.deepEqual(inBrief(leaves, new Set(['A'])), ['/C/D', '/C/A', '/C/B'])
})
