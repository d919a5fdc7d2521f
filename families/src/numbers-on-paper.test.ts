import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCertificate } from './certificate/read-certificate.ts'
import sample from './families/en10168/sample.json' with { type: 'json' }
import { visitTexts } from './mapping/document-texts.ts'
import { createRegistry } from './registry/registry.ts'
import { toDocument } from './to-document.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const wordsOf = async (languages: readonly string[]): Promise<ReadonlySet<string>> => {
  const text = JSON.stringify(sample)
    .replace('"CertificateLanguages":["EN","DE"]', `"CertificateLanguages":${JSON.stringify(languages)}`)
    .replace('"Value":26.5', '"Value":26.0')
    .replace('"Value":521', '"Value":"521.50"')
  const certificate = readCertificate(Buffer.from(text))
  const entry = await registry.find(certificate.refSchemaUrl)
  assert.ok(entry)
  const words = new Set<string>()
  visitTexts(toDocument(certificate, entry), (shown) => {
    for (const word of shown.split(/\s+/)) words.add(word)
  })
  return words
}

test('a number has the digits of the file and the decimal sign of its readers; a text stays as it is', async () => {
  const german = await wordsOf(['DE'])
  assert.deepEqual([german.has('26,0'), german.has('26.0')], [true, false])
  assert.deepEqual([german.has('521.50'), german.has('521,50')], [true, false])
  for (const languages of [['EN', 'DE'], ['EN'], ['DE', 'EN']]) {
    const words = await wordsOf(languages)
    assert.deepEqual([words.has('26.0'), words.has('26,0')], [true, false], String(languages))
  }
})
