import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCertificate } from '../certificate/read-certificate.ts'
import type { Block, Text } from '../model/document.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { toDocument } from '../to-document.ts'
import { markSchema, marksIn } from './mark-schema.ts'
import { placeOf } from './place-labels.ts'
import { readForm } from './read-form.ts'

const entries = ownEntries([])
const id = '01890000-0000-7000-8000-000000000000'
const formOf = (entry: SchemaEntry) => readForm(entry, { languages: ['en', 'de'], id }).labels

/** Words that German has, too. */
const alike =
  /^(?:Name|D-U-N-S|Form|Format|Minimum|Maximum|Median|Logo|Fax|Incoterms|Container|TARIC \(EU\)|EORI|MID|CNPJ|RUT|CBN|JSON|PDF|Version|System|Region|Element|Symbol|Parameter|Status)$/

const partsOf = (pointer: string): string[] => pointer.split('/').slice(1)

describe('the labels of a form', () => {
  for (const entry of entries)
    test(`${entry.type} ${entry.version} has one at every place, in English and in German`, () => {
      for (const [place, { en = '', de = '' }] of Object.entries(formOf(entry))) {
        for (const text of [en, de]) {
          assert.match(text, /\p{L}/u, place)
          assert.doesNotMatch(text, /[a-z](?!Nr)[A-Z]|_|^[a-z]|\bI ds\b/, place)
        }
        if (en === de) assert.match(en, alike, place)
      }
    })

  for (const entry of entries)
    test(`${entry.type} ${entry.version} has no two alike in a group`, () => {
      const labels = formOf(entry)
      const groups = new Map<string, Set<string>>()
      for (const leaf of markSchema(entry.schema).leaves)
        for (const [at, name] of partsOf(leaf).entries()) {
          const around = partsOf(leaf).slice(0, at).join('/')
          groups.set(around, (groups.get(around) ?? new Set()).add(name))
        }
      for (const [group, names] of groups)
        for (const language of ['en', 'de']) {
          const texts = [...names]
            .filter((name) => name !== '*')
            .map((name) => labels[placeOf([...group.split('/'), name].filter(Boolean))])
            .map((label) => `${label?.['code'] ?? ''} ${label?.[language]}`)
          const twice = texts.filter((text, at) => texts.indexOf(text) < at)
          assert.deepEqual(twice, [], group)
        }
    })

  for (const entry of entries)
    test(`${entry.type} ${entry.version} has the words of the paper`, () => {
      const labels = formOf(entry)
      const { json, leaves } = markSchema(entry.schema)
      for (const { mark, label } of labelledMarks(json, entry)) {
        const names = partsOf(leaves[mark] ?? assert.fail())
        const wanted = [names, names.slice(0, -1)].map((place) => labels[placeOf(place)]?.['en'])
        if (!ownWords.test(names.filter((name) => name !== '*').join('/')))
          assert.ok(
            wanted.includes(label),
            `${names.join('/')} is “${label}” on paper, ${wanted.join(' in ')}`,
          )
      }
    })
})

/** Paper names these by another value, joins several of them, or says more where it has no heading. */
const ownWords =
  /(?:ValueOfIdentifier|StandardReferences\/Value|DimValue|ObjectProperties\/Value|TestValues\/ValueName|Uncertainty|Statistics\/Method|C[34]\d\/Value|properties\/Name|Incoterms\/incoterm\/description|Contacts\/(?:Email|Phone|Role)|Product\/Name|SpecM..|Languages|Elements\/PropertyName)$/

/** The marks that paper shows alone beside a label. */
const labelledMarks = (
  json: object,
  entry: SchemaEntry,
): readonly { readonly mark: number; readonly label: string }[] => {
  const bytes = Buffer.from(JSON.stringify({ ...json, RefSchemaUrl: entry.id }))
  const { parties, sections } = toDocument(readCertificate(bytes), entry)
  const pairs = [
    ...parties.flatMap(({ lines }) => lines.map(({ label, value }) => ({ label, value }))),
    ...sections.filter(({ role }) => role !== 'data').flatMap(({ blocks }) => blocks.flatMap(pairsIn)),
  ]
  return pairs.flatMap(({ label: [label = ''] = [], value }) => {
    const [mark, ...others] = marksIn(value)
    const isNamed = label !== '' && marksIn(label).length === 0
    return mark === undefined || others.length > 0 || !isNamed ? [] : [{ mark, label }]
  })
}

const pairsIn = (block: Block): readonly { readonly label: Text | undefined; readonly value: string }[] => {
  if (block.kind === 'fields') return block.fields
  if (block.kind !== 'table') return []
  const { columns, rows } = block.table
  return rows.flatMap(({ cells }) => cells.map((value, at) => ({ label: columns[at]?.label, value })))
}
