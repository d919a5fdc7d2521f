import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { inventedCertificate } from '../../test/invented-certificate.ts'
import { realCertificates, underOwnSchema, withoutRealCertificates } from '../../test/real-certificates.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families, labelsOf } from './index.ts'
import { documentLabels } from '../labels/document-labels.ts'
import type { Labels } from '../labels/labels.ts'
import { lintSchema } from '../registry/lint-schema.ts'
import { createRegistry } from '../registry/registry.ts'
import { ownBase } from '../registry/schema-url.ts'
import { validate } from '../validate/validate.ts'

const registry = createRegistry({ log: { warn: assert.fail } })

const entryOf = async (url: string) => {
  const entry = await registry.find(url)
  assert.ok(entry, `no schema ${url}`)
  return entry
}

/** Versions that the newest schema does not continue. Each has a schema of its own, and `published-names.test.ts`. */
const hadOtherStructure = ['en10168/v0.2.1/', 'forestry/']

describe('the schemas of the families', () => {
  test('pass the same lint as imported schemas', async () => {
    for (const { name } of families) {
      const entry = await entryOf(`${ownBase}/${name}-schemas/v1.0.0/schema.json`)
      assert.deepEqual(lintSchema(entry.schema), [], name)
    }
  })

  test('accept and reject the same published certificates as the published schemas', {
    skip: withoutRealCertificates,
  }, async () => {
    const certificates = realCertificates().filter(
      ({ name }) =>
        !name.includes('invalid_schema_type') && !hadOtherStructure.some((older) => name.startsWith(older)),
    )
    assert.ok(certificates.length >= 20)
    for (const real of certificates) {
      const certificate = readCertificate(underOwnSchema(real))
      const findings = validate(certificate, await entryOf(certificate.refSchemaUrl))
      assert.equal(findings.length === 0, real.isValid, `${real.name}: ${JSON.stringify(findings)}`)
    }
  })

  test('report missing, unknown and malformed properties with pointer, reason and label', async () => {
    const certificate = inventedCertificate({
      transaction: { A01: { Name: 'Example Mill' }, A02: 'x', A03: '', A04: 'x', A05: 'x', A06: 7, B01: 'x' },
      validation: { Z01: 'x', Z02: '31.01.2026' },
    })
    const findings = validate(certificate, await entryOf(certificate.refSchemaUrl), 'de')
    const found = findings.map(({ pointer, reason, label }) => `${pointer} ${inEnglish(reason)} (${label})`)
    assert.ok(
      found.includes('/Certificate/CommercialTransaction is missing "A07" (Geschäftsvorgang)'),
      found.join('\n'),
    )
    assert.ok(found.includes('/Certificate/CommercialTransaction must not contain "B01" (Geschäftsvorgang)'))
    assert.ok(found.includes('/Certificate/CommercialTransaction/A01 is missing "City" (Herstellerwerk)'))
    assert.ok(found.includes('/Certificate/CommercialTransaction/A06 must be an object (Besteller)'))
    assert.ok(
      found.includes(
        '/Certificate/Validation/Z02 must be a valid date (Datum der Ausstellung und Bestätigung)',
      ),
    )
  })

  test('report at most 50 findings', async () => {
    const statements = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`A${index + 10}`, { Value: 7 }]),
    )
    const certificate = inventedCertificate({ transaction: { SupplementaryInformation: statements } })
    assert.equal(validate(certificate, await entryOf(certificate.refSchemaUrl)).length, 50)
  })
})

describe('labels', () => {
  const coverAlike = (labels: Labels) => {
    const names = (language: string) => [...(labels.get(language)?.keys() ?? [])].toSorted()
    for (const language of labels.keys()) assert.deepEqual(names(language), names('en'), language)
    assert.ok(names('en').length > 30)
  }
  const eight = ['en', 'de', 'fr', 'es', 'it', 'pl', 'tr', 'zh']

  for (const { name, labels } of families) {
    test(`of ${name} cover the same fields in all of its languages, at least in English and German`, () => {
      coverAlike(labels)
      assert.deepEqual([...labels.keys()].slice(0, 2), ['en', 'de'])
    })
  }

  test('of EN 10168, of CoA and of the page are in eight languages', () => {
    coverAlike(documentLabels)
    for (const labels of [labelsOf('en10168'), labelsOf('coa'), documentLabels]) {
      assert.deepEqual([...labels.keys()], eight)
    }
  })

  test('cover every code in the schema of EN 10168', async () => {
    const entry = await entryOf(`${ownBase}/en10168-schemas/v1.0.0/schema.json`)
    const codes = JSON.stringify(entry.schema).matchAll(/"([A-DZ]\d{2}(?:\.\d)?)":/g)
    const missing = [...codes]
      .map(([, code]) => code ?? '')
      .filter((code) => !entry.labels.get('en')?.has(code))
    assert.deepEqual(missing, [])
  })
})
