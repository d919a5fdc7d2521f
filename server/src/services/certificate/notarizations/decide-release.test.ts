import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { eraseBodies } from '../certificates/certificates.store.ts'
import { refuseOverdueReleases } from './decide-release.ts'

let server: TestServer
let process: CertificateProcess
let mill: Owner

before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
  mill = await newOwner(server, 'waiting-mill')
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const client = () => server.client(mill.admin.accessToken)

describe('a certificate that nobody releases', () => {
  test('waits as long as it is retained, then fails with the reason, and no operator can run it', async () => {
    const company = mill.company.id
    const identity = await newIdentity(client(), company)
    await client().updateCompany({ params: { id: company }, body: { fourEyes: 'people' } })
    const { jobId: id = assert.fail('no job') } = await client().notarizeCertificate({
      company,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
    })
    const read = () => client().readCertificate({ company, params: { id } })
    const { retainedUntil = '' } = await read()
    const end = Date.parse(retainedUntil)
    await refuseOverdueReleases(process.deps, new Date(end - 1))
    await eraseBodies(process.deps.database.query, new Date(end - 1))
    assert.equal((await read()).state, 'awaitingRelease')
    await refuseOverdueReleases(process.deps, new Date(end))
    const { state, error, release } = await read()
    assert.deepEqual([state, error], ['failed', 'Nobody released it within 30 days'])
    assert.deepEqual([release?.decision, release?.by], ['refused', undefined])
    const operator = server.client((await signUpOperator(server)).accessToken)
    await assertRefused(operator.runJobAgain({ params: { id } }), 'not_found')
  })
})
