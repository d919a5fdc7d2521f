import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allCertificates, bytesOf, leaves } from '../test/all-certificates.ts'
import { oldEn10168 } from '../test/old-certificates.ts'
import { pageText } from '../test/page-text.ts'
import { languagesOf } from './certificate/languages.ts'
import { type Certificate, readCertificate } from './certificate/read-certificate.ts'
import { printed } from './certificate/shown.ts'
import { families } from './families/index.ts'
import { renderHtml } from './html/render-html.ts'
import { visitTexts } from './mapping/document-texts.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const missing = (certificate: Certificate, text: string, attached: readonly string[]) =>
  leaves(printed(certificate, languagesOf(certificate))).filter(
    ([, leaf]) => !text.includes(leaf) && !attached.includes(leaf),
  )

describe('every value of a certificate', () => {
  for (const { name } of families) {
    test(`of ${name} is in the texts of its document and of its page`, async () => {
      const own = (await allCertificates()).filter(({ entry }) => entry.family === name)
      assert.ok(own.length >= 2)
      for (const { certificate, entry } of own) {
        const document = toDocument(certificate, entry)
        const attached = document.files.map(({ base64 }) => base64)
        const visited: string[] = []
        visitTexts(document, (text) => void visited.push(text.replaceAll(/\s+/g, ' ')))
        const texts = visited.join('\n')
        assert.deepEqual(missing(certificate, texts, attached), [], certificate.refSchemaUrl)
        const page = renderHtml(document, { mode: 'live', hash: certificate.hash, verifyUrl: '' })
        assert.deepEqual(missing(certificate, pageText(page), attached), [], certificate.refSchemaUrl)
      }
    })
  }

  test('that is further data says something to a person; what only programs need is in the last line', async () => {
    const found = new Map<string, Set<string>>()
    for (const { certificate, entry } of await allCertificates()) {
      for (const { role, blocks } of toDocument(certificate, entry).sections) {
        if (role !== 'data') continue
        const fields = blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : []))
        for (const { label, value } of fields)
          found.set(label[0] ?? '', (found.get(label[0] ?? '') ?? new Set()).add(value))
      }
    }
    const lines = [...found].map(([label, values]) => `${label}: ${[...values].toSorted().join('; ')}`)
    assert.deepEqual(lines.toSorted(), [
      'Allowed values: Lamellar',
      'CE marking: No liability.',
      'Fax: +43 1 777; +49 30 1',
      'Z05: EN 10168',
    ])
  })

  test('that no family knows is shown with its structure', async () => {
    const [old] = [oldEn10168('0.2.0')]
    const content = old['Certificate'] as { CommercialTransaction: object }
    const extra = { Deeper: { Answer: '42.10', List: [{ Left: 'one', Right: 'two' }] } }
    const json = {
      ...old,
      Certificate: { ...content, CommercialTransaction: { ...content.CommercialTransaction, Extra: extra } },
    }
    const certificate = readCertificate(bytesOf(json))
    const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
    const data = toDocument(certificate, entry).sections.find(({ role }) => role === 'data')
    const headings = data?.blocks.flatMap((block) => (block.kind === 'heading' ? block.text : []))
    assert.deepEqual(headings, ['Extra', 'Deeper', 'List'])
    const tables = data?.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : []))
    assert.deepEqual(
      tables?.map(({ cells }) => cells),
      [['one', 'two']],
    )
  })
})
