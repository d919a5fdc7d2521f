import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { certificateOf } from '../../test/invented-certificate.ts'
import { draftECoc, en10168Of04, oldEn10168, oldMetals } from '../../test/old-certificates.ts'
import { coaOf01, draftCoa, draftPlastic } from '../../test/old-coa.ts'
import { oldTimber } from '../../test/old-timber.ts'
import { realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { validate } from '../validate/validate.ts'
import { lintSchema } from './lint-schema.ts'
import { parsePublishedName, publishedHosts, publishedName, publishedVersions } from './published-names.ts'
import { createRegistry } from './registry.ts'

const registry = createRegistry({ log: { warn: assert.fail } })
const own = (type: string, version: string) =>
  `https://schemas.millseal.org/${type}-schemas/v${version}/schema.json`
const findings = async (json: unknown) => {
  const certificate = certificateOf(json)
  const entry = await registry.find(certificate.refSchemaUrl)
  assert.ok(entry, certificate.refSchemaUrl)
  return validate(certificate, entry).map(({ pointer, reason }) => `${pointer} ${inEnglish(reason)}`)
}

describe('a published name', () => {
  test('of any version is answered by our schema of that version, on every host', async () => {
    for (const [type, versions] of Object.entries(publishedVersions)) {
      for (const version of versions) {
        for (const host of publishedHosts) {
          const entry = await registry.find(publishedName({ type, version }, host))
          assert.equal(entry?.id, own(type.replace('-schemas', ''), version))
          assert.equal(entry.origin, 'own')
        }
      }
    }
  })

  test('is understood in every form that certificates use', async () => {
    const forms: readonly (readonly [string, string | undefined])[] = [
      ['http://schemas.s1seven.com/en10168-schemas/v0.2.0/schema.json', own('en10168', '0.2.0')],
      ['https://www.en10204.io/coa-schemas/v0.0.4/schema.json', own('coa', '0.0.4')],
      ['https://schemas.materialidentity.org/EN10168/v0.5.0/schema.json', own('en10168', '0.5.0')],
      ['https://materialidentity.org/schemas/E-CoC/v1.0.0/schema.json', own('e-coc', '1.0.0')],
      ['https://materialidentity.org/schemas/schemas/Metals/v0.1.1/schema.json', own('metals', '0.1.1')],
      ['https://schemas.s1seven.dev/CoA-schemas/v1.1.0/schema.json', own('coa', '1.1.0')],
      ['https://schemas.s1seven.com/Forestry/Source/v0.0.1/schema.json', own('forestry-source', '0.0.1')],
      ['https://schemas.s1seven.com/ForestryOutput/v1.0.0/schema.json', own('forestry-output', '1.0.0')],
      ['https://schemas.en10204.io/e-coc-schemas/v0.0.2-2/schema.json', own('e-coc', '0.0.2')],
      ['https://schemas.en10204.io/en10168-schemas/v0.0.3-2/', own('en10168', '0.0.3')],
      ['https://schemas.en10204.io/en10168-schemas/v0.0.2-1/schema.json', own('en10168', '0.0.2-1')],
      ['https://schemas.en10204.io/plastic-schemas/v0.0.2-3/schema.json', own('coa', '0.0.2')],
      ['https://example.org/en10168-schemas/v0.5.0/schema.json', undefined],
      ['https://schemas.s1seven.com.example.org/en10168-schemas/v0.5.0/schema.json', undefined],
      ['https://schemas.s1seven.com/en10168-schemas/v0.9.0/schema.json', undefined],
      ['ftp://schemas.s1seven.com/en10168-schemas/v0.5.0/schema.json', undefined],
    ]
    for (const [url, id] of forms) assert.equal((await registry.find(url))?.id, id, url)
  })

  test('is in the list; the nearest one is found for an unknown name', async () => {
    const names = await registry.names()
    for (const { bytes, name } of realCertificates().filter((one) => !one.name.includes('invalid_schema'))) {
      assert.ok(names.includes(readCertificate(bytes).refSchemaUrl), name)
    }
    const nearest = (path: string) => registry.nearest(`https://schemas.s1seven.com/${path}`)
    assert.match(nearest('en10168-schemas/v0.9.0/schema.json'), /s1seven.com\/en10168-schemas\/v0\.5\.0\//)
    assert.match(nearest('en10186-schemas/v0.4.0/schema.json'), /s1seven.com\/en10168-schemas\/v0\.4\.0\//)
    assert.match(nearest('metal-schemas/v0.0.0/schema.json'), /metals-schemas\/v0\.0\.1\//)
    assert.equal(parsePublishedName(registry.nearest('x'))?.type.endsWith('-schemas'), true)
    assert.match(registry.nearest(`https://example.org/${'coa/'.repeat(5_000)}`), /^https:/)
  })
})

describe('our schemas of published versions', () => {
  test('pass the same lint as imported schemas', () => {
    for (const { name, schemas } of families) {
      for (const schema of schemas) assert.deepEqual(lintSchema(schema as never), [], name)
    }
  })

  test('accept and reject the published certificates as the published schemas do', {
    skip: withoutRealCertificates,
  }, async () => {
    for (const real of realCertificates()) {
      const certificate = readCertificate(real.bytes)
      const entry = await registry.find(certificate.refSchemaUrl)
      const isValid = entry !== undefined && validate(certificate, entry).length === 0
      assert.equal(isValid, real.isValid, real.name)
    }
  })

  test('accept what old versions name otherwise', async () => {
    const valid = [
      ...['0.0.2', '0.0.3', '0.1.0', '0.2.0', '0.3.0'].map((version) => oldEn10168(version)),
      ...['0.4.0', '0.4.1'].map(en10168Of04),
      oldEn10168('0.0.2-1', { product: { B10: 12000, B12: 1181, B13: undefined } }),
      ...['0.0.1', '0.0.2-1', '0.0.2-3'].map((version) => draftPlastic(version)),
      ...['0.0.1', '0.0.2', '0.0.2-1', '0.0.3', '0.0.4'].map((version) => draftCoa(version)),
      ...['0.1.0', '0.1.1', '0.2.0'].map(coaOf01),
      ...['0.0.2', '0.0.2-2'].map((version) => draftECoc({ version })),
      ...['0.0.1', '0.1.0'].map(oldMetals),
      ...oldTimber,
    ]
    for (const json of valid) assert.deepEqual(await findings(json), [], String(json['RefSchemaUrl']))
  })

  test('reject what the old versions reject', async () => {
    const textInsteadOfNorm = oldEn10168('0.0.2', { product: { B02: 'S355J2H', B10: 12000 } })
    assert.deepEqual(await findings(textInsteadOfNorm), [
      '/Certificate/ProductDescription/B02 must be an object',
      '/Certificate/ProductDescription/B10 must be an object',
    ])
    const noLength = oldEn10168('0.1.0', { product: { B10: undefined } })
    assert.deepEqual(await findings(noLength), ['/Certificate/ProductDescription is missing "B10"'])
    const noSymbol = oldEn10168('0.3.0', { inspection: { ChemicalComposition: { C71: { Actual: 101 } } } })
    assert.ok((await findings(noSymbol)).length >= 2)
    assert.notDeepEqual(await findings(draftCoa('0.0.4', { Name: undefined })), [])
    assert.notDeepEqual(await findings(draftECoc({ level: 'D' })), [])
    assert.notDeepEqual(await findings(draftECoc({ role: 'Anybody' })), [])
    const [, source] = oldTimber
    assert.notDeepEqual(
      await findings({
        ...source,
        RefSchemaUrl: publishedName({ type: 'forestry-source-schemas', version: '1.0.0' }),
      }),
      [],
    )
  })
})
