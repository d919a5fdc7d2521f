import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { renderHtml } from './html/render-html.ts'
import { languagesOf } from './certificate/languages.ts'
import { plausibility } from './certificate/plausibility.ts'
import { partiesOf } from './certificate/parties.ts'
import { type JsonObject, readCertificate } from './certificate/read-certificate.ts'
import { summarize } from './certificate/summarize.ts'
import { families, recogniseFamily } from './families/index.ts'
import type { Family } from './family.ts'
import { markSchema } from './form/mark-schema.ts'
import { movableSections } from './look/movable-sections.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'
import { validate } from './validate/validate.ts'

/** Does not compile once a part of a family may be left out, or once a part is added that is missing here. */
const parts: {
  readonly [Part in keyof Family]: Omit<Family, Part> extends Family ? 'optional' : 'required'
} = {
  name: 'required',
  types: 'required',
  schemas: 'required',
  labels: 'required',
  recognise: 'required',
  languages: 'required',
  summarize: 'required',
  quantity: 'required',
  parties: 'required',
  questions: 'required',
  facts: 'required',
  logo: 'required',
  map: 'required',
  forPrograms: 'required',
  layout: 'required',
  sections: 'required',
  samples: 'required',
}

const folder = join(import.meta.dirname, 'families')
const registry = createRegistry({ log: { warn: assert.fail } })

describe('a certificate family', () => {
  test('without any one of its parts is a type error', () => {
    const { layout: _, ...planted } = families[0] ?? assert.fail()
    // @ts-expect-error The layout is missing.
    const list: readonly Family[] = [planted]
    assert.equal(list.length, 1)
    for (const { demo: _demo, ...family } of families)
      assert.deepEqual(Object.keys(family).toSorted(), Object.keys(parts).toSorted())
    assert.equal(families.filter(({ demo }) => demo !== undefined).length, 1, 'the samples are of one family')
  })

  test('without a schema or without a sample is a type error', () => {
    // @ts-expect-error At least one schema is needed.
    const schemas: Family['schemas'] = []
    // @ts-expect-error At least one sample is needed.
    const samples: Family['samples'] = []
    assert.deepEqual([schemas, samples], [[], []])
  })

  test('is in the list once it has a folder', () => {
    const folders = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'schema.json')))
    assert.deepEqual(families.map(({ name }) => name).toSorted(), folders.toSorted())
  })

  for (const family of families) {
    test(`${family.name} has schemas of its own type`, async () => {
      const listed = await registry.list()
      const versions = family.types.flatMap(({ type }) => listed[type] ?? [])
      assert.equal(versions.length, family.schemas.length, 'types names every type of its schemas')
      assert.equal(family.types[0].type, `${family.name}-schemas`)
    })

    test(`${family.name} has titles of its own, in English and German`, () => {
      for (const { type, title, description } of family.types)
        for (const text of [title.en, title.de, description.en, description.de])
          assert.match(text, /^\S.*\S$/, type)
      const titles = families.flatMap(({ types }) => types.map(({ title }) => title.en))
      assert.equal(new Set(titles).size, titles.length, titles.join(', '))
    })

    test(`${family.name} names the sections that a look may move, which have labels in both languages`, async () => {
      const [schema] = family.schemas as [JsonObject]
      const full = { ...markSchema(schema).json, RefSchemaUrl: schema['$id'] ?? null }
      const certificate = readCertificate(Buffer.from(JSON.stringify(full)))
      const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
      const sections = toDocument(certificate, entry).sections.filter(({ role }) => role === undefined)
      assert.deepEqual(
        family.sections,
        sections.map(({ name }) => name),
        `add them to sections in families/${family.name}/index.ts`,
      )
      for (const { name, title } of movableSections(family))
        for (const language of ['en', 'de'] as const)
          assert.equal(title[language], family.labels.get(language)?.get(name), name)
    })

    for (const [index, sample] of family.samples.entries()) {
      test(`${family.name} uses all of its parts for sample ${index + 1}`, async () => {
        const certificate = readCertificate(Buffer.from(JSON.stringify(sample)))
        const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
        assert.equal(recogniseFamily(certificate.json)?.name, family.name)
        assert.equal(entry.family, family.name)
        assert.deepEqual(validate(certificate, entry), [])
        assert.deepEqual(plausibility(certificate), [])
        const named = /Languages":\["EN","DE"\]/.test(JSON.stringify(sample))
        assert.deepEqual(languagesOf(certificate), named ? ['en', 'de'] : ['en'])
        const summary = summarize(certificate)
        const { senders, receivers } = partiesOf(certificate)
        assert.ok(summary.identifier !== undefined && summary.orderNumber !== undefined)
        assert.equal(senders[0]?.name, summary.sellerName)
        assert.equal(receivers[0]?.name, summary.buyerName)
        for (const { emails } of [...senders, ...receivers]) assert.equal(emails.length, 1)
        const document = toDocument(certificate, entry)
        assert.equal(document.family, family.name)
        assert.deepEqual(document.warnings, [])
        const html = renderHtml(document, { mode: 'live', hash: certificate.hash, verifyUrl: '' })
        for (const value of Object.values(summary).flat()) assert.ok(html.includes(value), value)
      })
    }
  }
})
