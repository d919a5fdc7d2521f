import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let server: TestServer
let mill: Owner
let millIdentity: Identity
before(async () => {
  server = await startTestServer()
  mill = await newOwner(server, 'findings-mill')
  millIdentity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
})
after(() => server[Symbol.asyncDispose]())

const audited = async () =>
  (await auditOf(server, mill.company.id)).filter(({ action }) => action === 'certificates.notarize')

describe('notarizing a certificate that says what does not fit together', () => {
  const wrong = () => {
    const certificate = sampleCertificate()
    Object.assign(certificate.Certificate.Inspection.TensileTest.C11, { Minimum: 380 })
    return certificate
  }
  const ask = (certificate: object, onFindings?: 'accept' | 'refuse') =>
    server.client(mill.admin.accessToken).notarizeCertificate({
      company: mill.company.id,
      query: { mode: 'test', identity: millIdentity.id, onFindings },
      document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    })

  test('answers with the findings, and the audit log says how many were accepted', async () => {
    const { findings } = await ask(wrong())
    assert.deepEqual(
      findings.map(({ property, because }) => [property, because.code]),
      [['ReH', 'own_minimum']],
    )
    const { details } = (await audited()).at(-1) ?? assert.fail('no entry')
    assert.equal((details as { findings?: number }).findings, 1)
  })

  test('is refused if the request says so, and stores nothing', async () => {
    const certificate = wrong()
    const earlier = (await audited()).length
    const error = await refusal(ask(certificate, 'refuse'))
    assert.equal(error.code, 'findings_refused')
    assert.match(error.answer?.details.join() ?? '', /C11\/Value ReH 377 MPa is below the minimum 380 MPa/)
    assert.equal((await audited()).length, earlier)
    assert.deepEqual((await ask(sampleCertificate(), 'refuse')).findings, [])
  })

  test('is refused if the company has that rule, whatever the request says', async () => {
    const admin = server.client(mill.admin.accessToken)
    const { id } = mill.company
    const company = await admin.updateCompany({ params: { id }, body: { onFindings: 'refuse' } })
    assert.equal(company.onFindings, 'refuse')
    // The certificate of an earlier test may have been recorded since.
    const entries = await auditOf(server, id)
    const change = entries.findLast(({ action }) => action === 'companies.update') ?? assert.fail('no entry')
    assert.equal((change.details as { after?: { onFindings?: string } }).after?.onFindings, 'refuse')
    assert.equal((await refusal(ask(wrong(), 'accept'))).code, 'findings_refused')
    assert.deepEqual((await ask(sampleCertificate())).findings, [])
    await admin.updateCompany({ params: { id }, body: { onFindings: 'accept' } })
    assert.equal((await ask(wrong())).findings.length, 1)
  })
})
