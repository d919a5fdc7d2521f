import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { record } from '@millseal/proof/testing'
import { at, mill, openLog, sha256, verifying } from '../test/certified.ts'

let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = await verifying()
})
after(() => place[Symbol.asyncDispose]())

const soldBy = (name: string): { [key: string]: JsonValue } => ({
  RefSchemaUrl: 'https://example.com/schema.json',
  Certificate: { CommercialTransaction: { A01: { Name: name } } },
})

/** A PDF with a certificate inside it. */
const pdfWith = (certificate: JsonValue): string => {
  const text = JSON.stringify(certificate)
  return `%PDF-1.7\n7 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length ${text.length} >>\nstream\n${text}\nendstream\nendobj\n`
}

/** What is said about the file if the mill notarized this certificate with this PDF. */
const saidAbout = async (
  file: 'named.json' | 'named.pdf',
  { certificate, inside = certificate, reviewed = true }: Notarized,
) => {
  const { log, named } = openLog('live')
  const pdf = pdfWith(inside)
  const hashes = { jsonHash: sha256(canonicalJson(certificate)), pdfHash: sha256(pdf) }
  const transaction = log.add(record(mill, hashes), at(11))
  const bundle = await log.bundle(transaction, reviewed ? named : {}, at(50))
  await place.write('named.pdf', pdf)
  await place.write('named.json', certificate)
  const policy = { logs: [log.vkey] }
  const { text, report, status } = await place.verify({ bundle, policy }, place.path(file))
  return { text, report: report as typeof report & { readonly remark?: string }, status }
}
type Notarized = {
  readonly certificate: JsonValue
  readonly inside?: JsonValue
  readonly reviewed?: boolean
}

const remark = 'Notarized by Rolling Mill; the certificate names Steel Works as its seller'

describe('millseal verify, of a certificate that names another seller', () => {
  test('says both names, for JSON and PDF, with the same verdict and exit code', async () => {
    for (const file of ['named.json', 'named.pdf'] as const) {
      const { text, report, status } = await saidAbout(file, { certificate: soldBy('Steel Works') })
      assert.deepEqual([report.verdict, status, report.remark], ['genuine', 0, remark], text)
      assert.ok(text.includes(`\n  ${remark}.\n`), text)
    }
  })

  test('says nothing if the seller is the issuer', async () => {
    const { text, report } = await saidAbout('named.json', { certificate: soldBy('ROLLING MILL GmbH') })
    assert.equal(report.remark, undefined)
    assert.doesNotMatch(text, /Notarized by/)
  })

  test('compares nothing with a name that nobody confirms', async () => {
    const certificate = soldBy('Steel Works')
    const { report } = await saidAbout('named.json', { certificate, reviewed: false })
    assert.deepEqual([report.verdict, report.remark], ['unknownIssuer', undefined])
  })

  test('reads from a PDF only the certificate that was recorded with it', async () => {
    const certificate = soldBy('Rolling Mill')
    const { report } = await saidAbout('named.pdf', { certificate, inside: soldBy('Steel Works') })
    assert.deepEqual([report.verdict, report.remark], ['genuine', undefined])
  })
})
