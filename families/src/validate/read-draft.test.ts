import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { bytesOf, leaves } from '../../test/all-certificates.ts'
import { pageText } from '../../test/page-text.ts'
import { isObject, readCertificate } from '../certificate/read-certificate.ts'
import { printed } from '../certificate/shown.ts'
import { families } from '../families/index.ts'
import { renderHtml } from '../html/render-html.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { readDraft } from './read-draft.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const draftOf = async (json: JsonValue) => {
  const certificate = readCertificate(bytesOf(json))
  const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
  const draft = readDraft(certificate, entry)
  const document = toDocument(draft, entry)
  return { certificate, draft, document, page: renderHtml(document, { mode: 'live', isDraft: true }) }
}

/** Copies of a value in each of which one part is gone, or is something else. */
const damaged = (value: JsonValue, others: readonly JsonValue[]): readonly JsonValue[] => {
  if (Array.isArray(value))
    return value.flatMap((each, at) => [
      value.toSpliced(at, 1),
      ...damaged(each, others).map((inner) => value.with(at, inner)),
    ])
  if (!isObject(value)) return others
  return Object.entries(value).flatMap(([name, each]) => {
    const { [name]: _gone, ...rest } = value
    if (name === 'RefSchemaUrl') return []
    return [rest, ...[...others, ...damaged(each, others)].map((inner) => ({ ...rest, [name]: inner }))]
  })
}

describe('a draft', () => {
  for (const { name, samples } of families) {
    const [sample] = samples as readonly { readonly RefSchemaUrl: string }[]
    const RefSchemaUrl = sample?.RefSchemaUrl ?? ''

    test(`of ${name} without any value is marked, has dashes, and nothing to verify it by`, async () => {
      const { certificate, page, document } = await draftOf({ RefSchemaUrl })
      const text = pageText(page)
      assert.match(text, /Draft: not notarized/)
      assert.match(page, /class="test draft" aria-hidden="true">Draft</)
      assert.match(text, /–/)
      assert.deepEqual(document.warnings, [])
      assert.doesNotMatch(page, new RegExp(certificate.hash.slice(0, 8)))
      assert.doesNotMatch(page, /<footer|<img|Verify/)
    })

    test(`of ${name} is made whatever is missing or wrong in it, and keeps every other value`, async () => {
      const all = damaged(sample as JsonValue, [])
      const wrong = damaged(sample as JsonValue, [7, [], {}]).filter((_one, at) => at % 11 === 0)
      assert.ok(all.length > 10)
      for (const json of [...all, ...wrong]) {
        const { draft, page, document } = await draftOf(json)
        const attached = document.files.map(({ base64 }) => base64)
        const text = pageText(page)
        const lost = leaves(printed(draft, document.languages)).filter(
          ([, leaf]) => leaf !== '–' && !text.includes(leaf) && !attached.includes(leaf),
        )
        assert.deepEqual(lost, [])
      }
    })

    test(`of ${name} that conforms is the certificate`, async () => {
      const { certificate, draft } = await draftOf(sample as JsonValue)
      assert.equal(draft, certificate)
    })
  }

  test('keeps the digits of its numbers and is marked in its own language', async () => {
    const RefSchemaUrl = 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json'
    const text = `{"RefSchemaUrl":"${RefSchemaUrl}","Certificate":{"CertificateLanguages":["DE"],"Inspection":[{"TensileTest":{"C12":{"Value":530.10}}}]}}`
    const certificate = readCertificate(Buffer.from(text))
    const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
    const page = renderHtml(toDocument(readDraft(certificate, entry), entry), { mode: 'test', isDraft: true })
    assert.match(pageText(page), /Entwurf: nicht notarisiert.*Testmodus.*530,10/s)
    assert.match(page, />Entwurf</)
  })
})
