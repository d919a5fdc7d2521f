import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SelfCheckFinding } from '@millseal/contract'
import { certificateLimits, families } from '@millseal/families'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { checkedByOwn } from '../../../../test/checked-by.ts'
import { newOwner } from '../../../../test/machines.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let client: Client
before(async () => {
  server = await startOwnServer()
  const { admin } = await newOwner(server, 'checking-mill')
  client = server.client(admin.accessToken)
})
after(() => server[Symbol.asyncDispose]())

const blobOf = (text: string): Blob => new Blob([text], { type: 'application/json' })
const validate = (certificate: object, report?: boolean) =>
  client.validateCertificate({ query: { report }, document: blobOf(JSON.stringify(certificate)) })

/** The sample with these members of its commercial transaction changed; undefined removes one. */
const changed = (changes: object) => {
  const certificate = sampleCertificate()
  const CommercialTransaction = { ...certificate.Certificate.CommercialTransaction, ...changes }
  return { ...certificate, Certificate: { ...certificate.Certificate, CommercialTransaction } }
}

describe('validating a certificate', () => {
  test('answers a certificate that conforms with the certificate itself', async () => {
    const certificate = sampleCertificate()
    assert.deepEqual(await validate(certificate), certificate)
    assert.deepEqual(await validate(certificate, false), certificate)
    const document = new File([JSON.stringify(certificate)], 'c.json', { type: 'application/json' })
    assert.deepEqual(await client.validateCertificateFile({ document }), certificate)
  })

  test('accepts one with an attached paper of 2 MiB', async () => {
    const [sample] = families.find(({ name }) => name === 'coa')?.samples ?? []
    const { Certificate, ...rest } = sample as { readonly Certificate: object }
    const Data = Buffer.alloc(2 * 1024 * 1024, '%PDF-1.7\n').toString('base64')
    const Attachments = [
      {
        FileName: 'paper.pdf',
        'MIME-Type': 'application/pdf',
        Encoding: 'base64',
        Hash: { Algorithm: 'SHA256', Encoding: 'hex', Value: '0' },
        Data,
      },
    ]
    const large = { ...rest, Certificate: { ...Certificate, Attachments } }
    assert.deepEqual(await validate(large), large)
    const broken = blobOf(JSON.stringify(large).replace('"FileName"', '"FileName":1,"FileName"'))
    await assertRefused(client.validateCertificate({ query: {}, document: broken }), 'malformed_json')
  })

  test('reports what is implausible if a report is asked for', async () => {
    const certificate = sampleCertificate()
    assert.deepEqual(await validate(certificate, true), {
      isValid: true,
      warnings: [],
      findings: [],
      addresses: ['receiver@example.com'],
      checkedBy: await checkedByOwn(certificate.RefSchemaUrl),
      certificate,
    })
    const withoutOrder = changed({ A07: ' ' })
    const report = await validate(withoutOrder, true)
    assert.equal(report['isValid'], true)
    assert.deepEqual(
      (report['warnings'] as { pointer: string }[]).map(({ pointer }) => pointer),
      ['/Certificate/CommercialTransaction/A07'],
    )
    assert.deepEqual(report['certificate'], withoutOrder)
  })

  test('names the addresses of the receivers, none if the certificate has none', async () => {
    const { A06 } = sampleCertificate().Certificate.CommercialTransaction
    const addressesWith = async (Email: string | undefined) =>
      (await validate(changed({ A06: { ...A06, Email } }), true))['addresses']
    assert.deepEqual(await addressesWith('Goods-In@example.com'), ['goods-in@example.com'])
    assert.deepEqual(await addressesWith(undefined), [])
  })

  test('reports what the certificate says against itself, as a warning too', async () => {
    const certificate = sampleCertificate()
    Object.assign(certificate.Certificate.Inspection.TensileTest.C11, { Minimum: 380 })
    const report = await validate(certificate, true)
    const findings = report['findings'] as SelfCheckFinding[]
    assert.equal(report['isValid'], true)
    assert.deepEqual(
      findings.map(({ weight, property, printed, against, pointer }) => [
        weight,
        property,
        printed,
        against,
        pointer,
      ]),
      [['outside_own_limits', 'ReH', '377 MPa', '380 MPa', '/Certificate/Inspection/TensileTest/C11/Value']],
    )
    assert.match(
      findings[0]?.reason ?? '',
      /^ReH 377 MPa is below the minimum 380 MPa that this certificate prints/,
    )
    assert.equal(findings[0]?.because.code, 'own_minimum')
    const warnings = report['warnings'] as { pointer: string; reason: string }[]
    assert.deepEqual(
      warnings.map(({ reason }) => reason),
      findings.map(({ reason }) => reason),
    )
  })

  test('says by which schema a published name was checked', async () => {
    const RefSchemaUrl = 'https://schemas.s1seven.dev/en10168-schemas/v0.5.0/schema.json'
    const schema = 'https://schemas.millseal.org/en10168-schemas/v0.5.0/schema.json'
    const report = await validate({ ...sampleCertificate(), RefSchemaUrl }, true)
    assert.deepEqual(report['checkedBy'], await checkedByOwn(schema))
  })

  test('rejects one that does not conform, with place, reason and label of every finding', async () => {
    const refused = validate(changed({ A01: undefined, A03: 4711 }))
    await assertRefused(refused, 'certificate_invalid')
    const { answer } = await refusal(refused)
    const details = answer?.details ?? []
    assert.ok(details.some((detail) => /^\/Certificate\/CommercialTransaction .*A01/.test(detail)))
    assert.ok(details.some((detail) => /^\/Certificate\/CommercialTransaction\/A03 .+ \(.+\)$/.test(detail)))
  })

  test('rejects an unknown schema and names the list, the nearest one and how to add it', async () => {
    const published = 'https://schemas.s1seven.com/en10168-schemas'
    const nearest = `${published}/v0.5.0/schema.json`
    const refused = validate({ ...sampleCertificate(), RefSchemaUrl: `${published}/v0.7.0/schema.json` })
    await assertRefused(refused, 'schema_unknown')
    const { answer } = await refusal(refused)
    assert.deepEqual(answer?.details, [
      '/RefSchemaUrl is not a known schema: GET /certificates/schemas lists the supported ones',
      `/RefSchemaUrl is nearest to ${nearest}`,
      '/RefSchemaUrl can be added by the operator of the service: millseal schemas add <folder or archive with the schema>',
    ])
  })

  test('rejects a certificate without RefSchemaUrl', async () => {
    await assertRefused(validate({ Certificate: {} }), 'certificate_invalid')
  })

  test('rejects one that has more content than a certificate may have: 413', async () => {
    const names = Array.from({ length: certificateLimits.maxKeysPerObject + 1 }, (_, at) => [`K${at}`, 0])
    await assertRefused(validate(changed(Object.fromEntries(names))), 'body_too_large')
  })

  test('rejects JSON that is ambiguous or broken', async () => {
    for (const text of ['{"RefSchemaUrl":"https://example.com","a":1,"a":2}', '{"Certificate":', '[]']) {
      await assertRefused(client.validateCertificate({ document: blobOf(text) }), 'malformed_json')
    }
  })
})

test('the list of schemas names families and versions that certificates may refer to', async () => {
  const schemas = await server.client().listCertificateSchemas()
  assert.ok(schemas['en10168-schemas']?.includes('1.0.0'))
  for (const version of ['0.0.2', '0.2.0', '0.5.0']) assert.ok(schemas['en10168-schemas']?.includes(version))
  assert.ok(schemas['forestry-source-schemas']?.includes('1.1.0'))
  assert.ok(schemas['names']?.includes('https://schemas.en10204.io/en10168-schemas/v0.1.0/schema.json'))
  assert.ok(schemas['coa-schemas'] !== undefined && schemas['e-coc-schemas'] !== undefined)
})

test('the list of families says in both languages what people call them, for everybody', async () => {
  const listed = await server.client().listCertificateFamilies()
  assert.deepEqual(
    listed.map(({ name }) => name),
    families.map(({ name }) => name),
  )
  const schemas = await server.client().listCertificateSchemas()
  for (const { title, types, sections } of listed) {
    assert.deepEqual(title, types[0]?.title)
    for (const { type } of types) assert.ok(schemas[type] !== undefined, type)
    assert.ok(sections.length > 0)
  }
  const [first] = listed
  assert.deepEqual(first?.types[0]?.title, { en: 'EN 10168', de: 'EN 10168' })
  assert.deepEqual(first?.sections[0], {
    name: 'CommercialTransaction',
    title: { en: 'Commercial transaction', de: 'Geschäftsvorgang' },
  })
})

describe('the form of a schema', () => {
  const read = (type: string, version: string, languages?: string) =>
    server.client().readCertificateForm({ params: { type, version }, query: { languages } })

  test('is that of the schema that a certificate would be checked with, for everybody', async () => {
    const form = await read('en10168-schemas', '0.5.0', 'de,en')
    const schema = 'https://schemas.millseal.org/en10168-schemas/v0.5.0/schema.json'
    assert.deepEqual(form.checkedBy, await checkedByOwn(schema))
    assert.equal(form.schema['$id'], schema)
    assert.deepEqual(form.labels['CommercialTransaction/A03'], {
      code: 'A03',
      de: 'Nummer der Bescheinigung',
      en: 'Document number',
    })
    assert.equal(form.groups[1]?.label?.['de'], 'Geschäftsvorgang')
    assert.equal(form.template['RefSchemaUrl'], schema)
    const ids = [form, await read('en10168-schemas', '0.5.0')].map(
      ({ template }) => (template['DocumentMetadata'] as { id: string }).id,
    )
    assert.notEqual(ids[0], ids[1])
  })

  test('exists for every listed version, and for no other', async () => {
    const { names: _, ...listed } = await server.client().listCertificateSchemas()
    for (const [type, versions] of Object.entries(listed))
      for (const version of versions) assert.ok((await read(type, version)).groups.length > 1, type)
    await assertRefused(read('en10168-schemas', '9.9.9'), 'schema_unknown')
    await assertRefused(read('__proto__', '1.0.0'), 'validation_failed')
    await assertRefused(read('en10168-schemas', '1.0.0', 'english'), 'validation_failed')
  })
})
