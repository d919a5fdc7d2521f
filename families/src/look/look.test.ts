import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inventedCertificate, pixel } from '../../test/invented-certificate.ts'
import { pageText } from '../../test/page-text.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { htmlPolicy, renderHtml } from '../html/render-html.ts'
import type { DocumentModel } from '../model/document.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { applyLook } from './apply-look.ts'
import { isReadableOnWhite, readableShade } from './contrast.ts'
import { isOptionalPart, optionalNames } from './look.ts'

const registry = createRegistry({ log: { warn: assert.fail } })
const documentOf = async (json: unknown): Promise<DocumentModel> => {
  const certificate = readCertificate(Buffer.from(JSON.stringify(json)))
  const entry = await registry.find(certificate.refSchemaUrl)
  assert.ok(entry)
  return toDocument(certificate, entry)
}
const samples = Promise.all(families.flatMap((family) => family.samples.map(documentOf)))
const namesOf = ({ sections }: DocumentModel) => sections.map(({ name }) => name)
const html = (document: DocumentModel): string =>
  renderHtml(document, { mode: 'live', hash: 'a'.repeat(64), verifyUrl: 'https://example.org/v' })
const picture = { type: 'image/png', base64: pixel() } as const

describe('a look', () => {
  test('that is empty changes nothing', async () => {
    for (const document of await samples) assert.deepEqual(applyLook(document, {}), document)
  })

  test('finds every section of every family by its name, in any language', async () => {
    for (const family of families)
      for (const sample of family.samples) {
        const names = namesOf(await documentOf(sample))
        assert.ok(
          names.every((name) => /^[A-Za-z0-9]+$/.test(name ?? '')),
          `${family.name}: ${names.join()}`,
        )
        const text = JSON.stringify(sample)
        const german = JSON.parse(text.replaceAll(/"Languages":\[[^\]]*\]/g, '"Languages":["DE"]')) as unknown
        assert.deepEqual(namesOf(await documentOf(german)), names)
      }
  })

  test('orders the sections; the others follow, then the declaration and the further data', async () => {
    for (const document of await samples) {
      const names = namesOf(document)
      const wanted = names.toReversed().map((name) => name ?? '')
      const ordered = applyLook(document, { sections: wanted })
      const sectionsOf = (wantedRole?: string) => document.sections.filter(({ role }) => role === wantedRole)
      assert.deepEqual(ordered.sections, [
        ...sectionsOf().toReversed(),
        ...sectionsOf('declaration'),
        ...sectionsOf('data'),
        ...sectionsOf('technical'),
      ])
      const second = applyLook(document, { sections: ['Unknown', names[1] ?? ''] })
      assert.equal(second.sections[0]?.name, names[1])
      assert.equal(second.sections.length, names.length)
    }
  })

  test('hides optional parts and nothing else, whatever it asks for', async () => {
    const everything = fc.array(
      fc.oneof(fc.constantFrom(...optionalNames), fc.stringMatching(/^[ABCDZ]\d\d$/), fc.string()),
    )
    const documents = await samples
    fc.assert(
      fc.property(everything, fc.nat(documents.length - 1), (hidden, at) => {
        const document = documents[at]
        assert.ok(document)
        const shown = applyLook(document, { hidden, sections: hidden })
        const isLine = (name: string | undefined) => name === 'TechnicalData' && hidden.includes(name)
        assert.deepEqual(new Set(namesOf(shown)), new Set(namesOf(document).filter((name) => !isLine(name))))
        const optional = new Set(hidden.filter(isOptionalPart))
        const fieldsOf = ({ sections }: DocumentModel) =>
          sections.flatMap(({ blocks }) =>
            blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : [])),
          )
        const left = fieldsOf(document).filter(
          ({ name = '', code = '' }) => !optional.has(name) && !optional.has(code),
        )
        assert.equal(fieldsOf(shown).length, left.length)
      }),
    )
    for (const part of ['A01', 'A09', 'A97', 'B02', 'C71', 'Z02', 'Validation', 'Number', '']) {
      assert.equal(isOptionalPart(part), false, part)
    }
  })

  test('hides the contacts with their table, and supplementary fields by their code', async () => {
    const coa = (await samples).find(({ family }) => family === 'coa')
    assert.ok(coa)
    const contacts = coa.sections.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'heading')
    assert.ok(contacts.some(({ name }) => name === 'Contacts'))
    const shown = applyLook(coa, { hidden: ['Contacts'] })
    const blocksOf = ({ sections }: DocumentModel) => sections.flatMap(({ blocks }) => blocks)
    assert.equal(blocksOf(shown).length, blocksOf(coa).length - 2)
    const transaction = {
      A01: { Name: 'Mill', Street: 'S', ZipCode: '1', City: 'C', Country: 'AT' },
      A02: 'EN 10204 3.1',
      A03: 'C-1',
      A07: 'PO-7',
      SupplementaryInformation: { A10: { Key: 'Cost centre', Value: 'CC-4711' } },
    }
    const certificate = inventedCertificate({ transaction })
    const entry = await registry.find(certificate.refSchemaUrl)
    assert.ok(entry)
    const document = toDocument(certificate, entry)
    assert.match(pageText(html(document)), /CC-4711/)
    const hidden = pageText(html(applyLook(document, { hidden: ['A10', 'A07'] })))
    assert.doesNotMatch(hidden, /CC-4711/)
    assert.match(hidden, /PO-7/)
  })

  test('has a logo for certificates without one, or for all', async () => {
    const [document] = await samples
    assert.ok(document)
    const own = { ...picture, alternative: ['The logo of the certificate'] }
    const { logo: _, ...without } = document
    const withLogo = { ...without, logo: own }
    const shown = (certificate: DocumentModel, use: 'missing' | 'always') =>
      applyLook(certificate, { logo: { picture, use } }).logo
    assert.deepEqual(shown(without, 'missing'), { ...picture, alternative: ['Logo'] })
    assert.deepEqual(shown(without, 'always'), { ...picture, alternative: ['Logo'] })
    assert.deepEqual(shown(withLogo, 'missing'), own)
    assert.deepEqual(shown(withLogo, 'always'), { ...picture, alternative: ['Logo'] })
  })

  test('has a footer in the languages of the document, and an accent that the page policy allows', async () => {
    const document = { ...(await samples)[0], languages: ['de', 'fr'] } as DocumentModel
    const footer = { de: 'Werk Beispiel', en: '<b>Mill</b>' }
    const shown = applyLook(document, { footer, accent: '#7a1f1f' })
    assert.deepEqual(shown.look, { accent: '#7a1f1f', footer: ['Werk Beispiel', '<b>Mill</b>'] })
    const page = html(shown)
    assert.match(
      page,
      /<p class="line">Werk Beispiel <span class="second" lang="fr">&lt;b&gt;Mill&lt;\/b&gt;</,
    )
    assert.match(page, /:root\{--own:#7a1f1f\}<\/style>/)
    assert.notEqual(htmlPolicy(shown), htmlPolicy(document))
    assert.ok(page.includes(/sha256-[^']+/.exec(htmlPolicy(shown))?.[0] ?? 'none'))
    const injected = html({ ...document, look: { accent: '#000}</style><script>' } })
    assert.equal(injected, html(document))
    assert.deepEqual(applyLook(document, { footer: { en: 'Same' } }).look, { footer: ['Same'] })
  })
})

describe('an accent colour', () => {
  test('is readable on white from a contrast of 4.5 on', () => {
    const readable = ['#000000', '#0e4a6b', '#767676', '#c00000', '#0000ff']
    const unreadable = ['#ffffff', '#777777', '#ffcc00', '#00ff00', '#ff0000', '#0fa0a0']
    for (const color of readable) assert.ok(isReadableOnWhite(color), color)
    for (const color of unreadable) assert.ok(!isReadableOnWhite(color), color)
  })

  test('always has a shade that is readable, and keeps one that is', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`)
    fc.assert(
      fc.property(color, (one) => {
        const shade = readableShade(one)
        assert.match(shade, /^#[0-9a-f]{6}$/)
        assert.ok(isReadableOnWhite(shade), `${one} ${shade}`)
        if (isReadableOnWhite(one)) assert.equal(shade, one)
      }),
    )
  })
})
