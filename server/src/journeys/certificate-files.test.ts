import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hashAlgorithms, hashEncodings } from '@millseal/contract'
import { canonicalJson } from '@millseal/proof'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { refusal } from '../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'

let server: TestServer
let mill: Owner
let client: Client
before(async () => {
  server = await startTestServer()
  mill = await newOwner(server, 'file-mill')
  client = server.client(mill.admin.accessToken)
})
after(() => server[Symbol.asyncDispose]())

const fileOf = (value: unknown): File =>
  new File([JSON.stringify(value, null, 2)], 'certificate.json', { type: 'application/json' })
const blobOf = (value: unknown): Blob => new Blob([JSON.stringify(value)], { type: 'application/json' })

describe('a certificate as a file', () => {
  test('is hashed over its canonical form, with every algorithm and encoding', async () => {
    const source = { b: [1.0, 'ä'], a: { d: null, c: true } }
    for (const algorithm of hashAlgorithms) {
      for (const encoding of hashEncodings) {
        const { value } = await client.hashCertificate({ body: { source, algorithm, encoding } })
        const wanted = createHash(algorithm).update(canonicalJson(source)).digest(encoding)
        assert.equal(value, wanted, `${algorithm} ${encoding}`)
      }
    }
    const { value } = await client.hashFile({ document: fileOf(source) })
    assert.equal(value, createHash('sha256').update(canonicalJson(source)).digest('hex'))
  })

  test('is hashed over its bytes if it is a table', async () => {
    const csv = 'heat;C\r\n4711;0,17\r\n'
    const document = new File([csv], 'heat.csv', { type: 'text/csv' })
    const { value } = await client.hashFile({ document, fields: { contentType: 'csv' } })
    assert.equal(value, createHash('sha256').update(csv).digest('hex'))
  })

  test('gets the same validation as a body and as a file, which names what does not conform', async () => {
    const certificate = sampleCertificate()
    assert.deepEqual(await client.validateCertificate({ document: blobOf(certificate) }), certificate)
    assert.deepEqual(await client.validateCertificateFile({ document: fileOf(certificate) }), certificate)
    const report = await client.validateCertificate({
      query: { report: true },
      document: blobOf(certificate),
    })
    assert.equal(report['isValid'], true)

    const { A01: _, ...transaction } = certificate.Certificate.CommercialTransaction
    const broken = {
      ...certificate,
      Certificate: { ...certificate.Certificate, CommercialTransaction: transaction },
    }
    for (const refused of [
      client.validateCertificate({ document: blobOf(broken) }),
      client.validateCertificateFile({ document: fileOf(broken) }),
    ]) {
      const { status, answer } = await refusal(refused)
      assert.equal(status, 400)
      assert.match(answer?.details.join() ?? '', /A01/)
    }
  })

  test('is notarized and verified as a file', async () => {
    const identity = await newIdentity(client, mill.company.id)
    const certificate = sampleCertificate()
    const { hash, jobId } = await client.notarizeCertificateFile({
      company: mill.company.id,
      query: { mode: 'test', identity: identity.id },
      document: fileOf(certificate),
    })
    assert.equal(hash.value, createHash('sha256').update(canonicalJson(certificate)).digest('hex'))
    await endedNotarization(client, { company: mill.company.id, jobId })
    const verified = await server
      .client()
      .verifyCertificateFile({ query: { mode: 'test' }, document: fileOf(certificate) })
    assert.equal(verified.isValid, true)
    assert.equal(verified.matched, 'json')
  })
})
