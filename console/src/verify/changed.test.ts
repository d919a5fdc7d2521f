import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { createTestLog, didOfOwner, ownerOf, record } from '@millseal/proof/testing'
import { createReader } from './reader.fixture.ts'

const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
const mill = ownerOf(1)
const who = { did: didOfOwner(mill), company: 'Rolling Mill', vatId: 'DE123456789' }
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hashOf = (json: JsonValue): string => sha256(canonicalJson(json))

const certificateWith = ({ carbon = '0.17', seller = 'Rolling Mill', number = '1866645/001' } = {}) => ({
  Certificate: {
    CommercialTransaction: { A01: { Name: seller }, A03: number },
    ProductDescription: { B07: ['175508', '175509'] },
    Inspection: [
      {
        C00: '175508',
        ChemicalComposition: {
          C71: {
            Symbol: 'C',
            Unit: '%',
            Actual: { Value: carbon },
            Maximum: { Value: '0.20' },
          },
        },
      },
    ],
  },
})

/** The smallest PDF in which a reader finds the certificate. */
const pdfWith = (certificate: JsonValue, end = ''): Uint8Array => {
  const text = JSON.stringify(certificate)
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length ${Buffer.byteLength(text)} >>\nstream\n${text}\nendstream\nendobj\n${end}`,
  )
}

const genuine = certificateWith()
const pdf = pdfWith(genuine)
const log = createTestLog('mill.example/ledger/live')
const identity = log.add(record(mill, { type: 'identity', publicKey: mill.publicKey, ...who }), at(11))
const hashes = { jsonHash: hashOf(genuine), pdfHash: sha256(pdf) }
const entry = log.add(record(mill, hashes), at(20))
const evidence = hashes.jsonHash
const review = log.add(record(log.operator, { type: 'review', ...who, reviewedAt: at(12), evidence }), at(21))
const bundle = await log.bundle(entry, { identity, review }, at(30))
const service = {
  keys: { live: log.vkey },
  bundles: { live: { [hashes.jsonHash]: bundle, [hashes.pdfHash]: bundle } },
}
const online = { service }
const offline = { keys: [log.vkey] }
const altered = certificateWith({ carbon: '0.16' })

const red = ['bad', 'Changed. Do not accept.']

describe('a file that is not the notarized original is red, with the issuer of the original', () => {
  test('if the certificate inside the PDF is notarized: it was saved again, printed again or painted over', async () => {
    for (const page of [online, { ...offline, bundle }]) {
      const reader = createReader(page)
      const files = 'bundle' in page ? { 'bundle.json': bundle } : {}
      const [seen] = await reader.drop({ 'again.pdf': pdfWith(genuine, '% again'), ...files })
      assert.deepEqual([seen?.tone, seen?.says], red)
      assert.equal(seen?.why, 'Rolling Mill notarized certificate 1866645/001, but not this file.')
    }
  })

  test('if its bundle is at hand', async () => {
    for (const page of [online, offline]) {
      const reader = createReader(page)
      const [seen] = await reader.drop({ 'altered.json': altered, 'bundle.json': bundle })
      assert.deepEqual([seen?.tone, seen?.says], red)
      assert.equal(seen?.why, 'Rolling Mill notarized the original, but not this file.')
      assert.equal(seen?.result.differences, undefined)
    }
  })

  test('if the code on the paper belongs to a notarized certificate', async () => {
    const reader = createReader({ service, scanned: [hashes.jsonHash] })
    for (const files of [{ 'altered.json': altered }, { 'altered.pdf': pdfWith(altered) }]) {
      const [seen] = await reader.drop(files)
      assert.deepEqual([seen?.tone, seen?.says], red)
    }
    const [seen] = await reader.drop({ 'genuine.json': genuine })
    assert.deepEqual([seen?.tone, seen?.says], ['good', 'GENUINE'])
  })

  test('if the original of the same number and seller was checked, with both values as the paper names them', async () => {
    for (const page of [online, offline])
      for (const changed of [altered, pdfWith(altered)]) {
        const reader = createReader(page)
        const [first] = await reader.drop({ 'genuine.pdf': pdf, 'bundle.json': bundle })
        assert.equal(first?.says, 'GENUINE')
        const [seen] = await reader.drop({ 'altered.file': changed })
        assert.deepEqual([seen?.tone, seen?.says], red)
        assert.equal(seen?.why, 'Rolling Mill notarized certificate 1866645/001, but not with these values.')
        assert.deepEqual(seen?.result.differences, [
          { property: 'C', fact: undefined, heat: '175508', notarized: '0.17 %', here: '0.16 %' },
        ])
      }
  })

  test('in German, too', async () => {
    const reader = createReader(online, 'de')
    await reader.drop({ 'genuine.json': genuine })
    const [seen] = await reader.drop({ 'altered.json': altered })
    assert.deepEqual([seen?.tone, seen?.says], ['bad', 'Verändert. Nicht annehmen.'])
    assert.equal(
      seen?.why,
      'Rolling Mill hat das Zeugnis 1866645/001 notarisiert, aber nicht mit diesen Werten.',
    )
  })
})

describe('a file stays grey', () => {
  const grey = ['none', 'NOT FOUND']

  test('if nothing leads from it to a notarized original', async () => {
    const reader = createReader(online)
    await reader.drop({ 'genuine.json': genuine })
    for (const other of [{ number: '2' }, { seller: 'Another Mill', carbon: '0.1' }]) {
      const [seen] = await reader.drop({ 'other.json': certificateWith(other) })
      assert.deepEqual([seen?.tone, seen?.says], grey)
    }
  })

  test('if a bundle that lies about is of another file, and its own is missing', async () => {
    const other = certificateWith({ number: '2' })
    const reader = createReader(online)
    await reader.drop({ 'genuine.json': genuine, 'bundle.json': bundle })
    const [seen] = await reader.drop({ 'other.json': other })
    assert.deepEqual([seen?.tone, seen?.says], grey)
    const third = certificateWith({ number: '3' })
    const both = await reader.drop({ 'other.json': other, 'third.json': third, 'bundle.json': bundle })
    assert.deepEqual(
      both.map(({ says }) => says),
      ['NOT FOUND', 'NOT FOUND'],
    )
  })
})

test('the mode is recognised: a test certificate is amber, whichever mode the page asks for first', async () => {
  const testLog = createTestLog('mill.example/ledger/test')
  const testEntry = testLog.add(record(mill, hashes), at(20))
  const bundles = { test: { [hashes.jsonHash]: await testLog.bundle(testEntry, {}, at(30)) } }
  const reader = createReader({ service: { keys: { test: testLog.vkey, live: log.vkey }, bundles } })
  const [seen] = await reader.drop({ 'genuine.json': genuine })
  assert.deepEqual([seen?.tone, seen?.says], ['caution', 'TEST – NO REAL MATERIAL'])
})
