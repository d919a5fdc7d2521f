import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { draftECoc, en10168Of04, oldEn10168, oldMetals } from '../test/old-certificates.ts'
import { coaOf01, draftCoa } from '../test/old-coa.ts'
import { oldTimber } from '../test/old-timber.ts'
import { pageText } from '../test/page-text.ts'
import { realCertificates } from '../test/real-certificates.ts'
import { type Certificate, readCertificate } from './certificate/read-certificate.ts'
import { shown } from './certificate/shown.ts'
import { families } from './families/index.ts'
import { renderHtml } from './html/render-html.ts'
import { documentTexts } from './mapping/document-texts.ts'
import { isEncoded } from './mapping/further-data.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'

const registry = createRegistry({ packFolders: [], log: { warn: assert.fail } })
const bytesOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json))

/** Samples, published certificates and certificates as older versions have them. */
const certificates = async () => {
  const documents = [
    ...families.flatMap(({ samples }) => samples.map(bytesOf)),
    ...realCertificates().map(({ bytes }) => bytes),
    ...['0.0.2', '0.3.0'].map((version) => bytesOf(oldEn10168(version))),
    bytesOf(en10168Of04('0.4.0')),
    bytesOf(draftCoa('0.0.4')),
    bytesOf(coaOf01('0.2.0')),
    bytesOf(draftECoc()),
    bytesOf(oldMetals('0.0.1')),
    ...oldTimber.map(bytesOf),
  ]
  const read = documents.map((bytes) => readCertificate(bytes))
  const found = await Promise.all(read.map((certificate) => registry.find(certificate.refSchemaUrl)))
  return read.flatMap((certificate, index) => {
    const entry = found[index]
    return entry === undefined ? [] : [{ certificate, entry }]
  })
}

const leaves = (value: JsonValue, pointer = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${pointer}/${key}`))
  }
  const text = String(value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' || isEncoded(text) ? [] : [[pointer, text]]
}

const missing = (certificate: Certificate, text: string, attached: readonly string[]) =>
  leaves(shown(certificate)).filter(([, leaf]) => !text.includes(leaf) && !attached.includes(leaf))

describe('every value of a certificate', () => {
  for (const { name } of families) {
    test(`of ${name} is in the texts of its document and of its page`, async () => {
      const own = (await certificates()).filter(({ entry }) => entry.family === name)
      assert.ok(own.length >= 2)
      for (const { certificate, entry } of own) {
        const document = toDocument(certificate, entry)
        const attached = document.files.map(({ base64 }) => base64)
        const texts = [...documentTexts(document)].map((text) => text.replaceAll(/\s+/g, ' ')).join('\n')
        assert.deepEqual(missing(certificate, texts, attached), [], certificate.refSchemaUrl)
        const page = renderHtml(document, { mode: 'live', hash: certificate.hash, verifyUrl: '' })
        assert.deepEqual(missing(certificate, pageText(page), attached), [], certificate.refSchemaUrl)
      }
    })
  }

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
