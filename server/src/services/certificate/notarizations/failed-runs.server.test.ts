import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { PdfError, type PdfRenderer } from '@millseal/families'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import {
  acceptCertificate,
  jobsAbout,
  sha256,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { runClaimed } from './claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { eventsOf } from '../../../../test/traces.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openClosedRenderer, openMill, type OpenedMill } from '../mill.suite.ts'
import { certificateMail } from '../mails/certificate-mail.ts'
import { failureMail } from '../mails/failure-mail.ts'
import { maxAttempts } from './retry-delay.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let buyer: Owner
let identity: Identity
let closedRenderer: PdfRenderer

before(async () => {
  opened = await openMill('failing-mill')
  ;({ server, deps, mill } = opened)
  buyer = await newOwner(server, 'failing-buyer')
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  closedRenderer = await openClosedRenderer(opened)
})
after(() => opened[Symbol.asyncDispose]())

type Options = {
  readonly certificate?: object
  readonly owner?: Owner
  readonly identityId?: string
  readonly attempts?: number
}

const accept = ({
  certificate = sampleCertificate(),
  owner = mill,
  identityId = identity.id,
  attempts,
}: Options = {}): Promise<string> =>
  acceptCertificate(deps, { companyId: owner.company.id, identityId, certificate, attempts })

const run = (certificateId: string, changes: Partial<CertificateDependencies> = {}): Promise<void> =>
  runClaimed({ ...deps, ...changes }, certificateId)

describe('a run that fails but can be retried', () => {
  const stillRunning = async (id: string, attempts: number): Promise<void> => {
    const stored = await storedCertificate(deps, id)
    assert.equal(stored.state, 'running')
    assert.equal(stored.error, null)
    assert.equal(stored.attempts, attempts)
    assert.deepEqual(await jobsAbout(deps, failureMail, id), [])
  }

  test('leaves the notarization running and hands the error to the queue: renderer busy', async () => {
    const id = await accept()
    await assert.rejects(run(id, { pdf: closedRenderer }), /closed/)
    await stillRunning(id, 1)
    await run(id)
    assert.equal((await storedCertificate(deps, id)).state, 'notarized')
  })

  test('is final at the second attempt if rendering takes too much time or memory, at the first if it is refused', async () => {
    for (const { failure, attempts } of [
      { failure: 'timed_out', attempts: 2 },
      { failure: 'crashed', attempts: 2 },
      { failure: 'refused', attempts: 1 },
    ] as const) {
      const pdf: PdfRenderer = {
        ...deps.pdf,
        render: () => Promise.reject(new PdfError(failure, because('pdf_failed', { why: `It ${failure}` }))),
      }
      const id = await accept()
      if (attempts > 1) {
        await assert.rejects(run(id, { pdf }), new RegExp(failure))
        await stillRunning(id, 1)
      }
      await run(id, { pdf })
      const stored = await storedCertificate(deps, id)
      assert.deepEqual([stored.state, stored.error, stored.attempts], ['failed', `It ${failure}`, attempts])
    }
  })

  test('does so as well when the process stops', async () => {
    const id = await accept()
    const stopping = AbortSignal.abort(new Error('The process stops'))
    await assert.rejects(runClaimed(deps, id, stopping), /The process stops/)
    await stillRunning(id, 1)
  })

  test('does so on the last attempt but one; the last attempt ends it with a general reason', async () => {
    const id = await accept({ attempts: maxAttempts - 2 })
    await assert.rejects(run(id, { pdf: closedRenderer }), /closed/)
    await stillRunning(id, maxAttempts - 1)
    await run(id, { pdf: closedRenderer })
    const { state, error } = await storedCertificate(deps, id)
    assert.equal(state, 'failed')
    assert.equal(error, 'The notarization did not succeed in time')
    assert.equal((await jobsAbout(deps, failureMail, id)).length, 1)
    assert.ok(opened.log.some((line) => line.includes('a notarization failed') && line.includes(id)))
  })
})

describe('a run that can never succeed', () => {
  const assertFailed = async (id: string, reason: RegExp, owner = mill): Promise<void> => {
    const stored = await storedCertificate(deps, id)
    assert.equal(stored.state, 'failed')
    assert.match(stored.error ?? '', reason)
    assert.equal(stored.attempts, 1)
    assert.equal(stored.transactionId, null)
    assert.deepEqual(await jobsAbout(deps, failureMail, id), [
      { certificateId: id, address: owner.admin.email },
    ])
    assert.deepEqual(await jobsAbout(deps, certificateMail, id), [])
    assert.ok(opened.log.some((line) => line.includes('a notarization failed') && line.includes(id)))
  }

  test('fails at once: the identity does not exist any more', async () => {
    const id = await accept({ identityId: '00000000-0000-4000-8000-000000000000' })
    await run(id)
    await assertFailed(id, /^The resource does not exist$/)
  })

  test('fails at once: the wallet of the identity was wiped', async () => {
    const company = buyer.company.id
    const client = server.client(buyer.admin.accessToken)
    const { id: identityId, wallet } = await newIdentity(client, company)
    const id = await accept({ owner: buyer, identityId })
    await client.wipeWallet({ company, query: { mode: 'test' }, params: { id: wallet } })
    await run(id)
    await assertFailed(id, /\. The identity is obsolete: its wallet was wiped$/, buyer)
  })

  test('fails at once: the schema was removed after the request', async () => {
    const certificate = sampleCertificate()
    const id = await accept({
      certificate: { ...certificate, RefSchemaUrl: 'https://example.com/removed/schema.json' },
    })
    await run(id)
    await assertFailed(id, /\/RefSchemaUrl is not a known schema/)
  })

  test('fails at once, and says whose it is and what to do: another company was first, even with the same PDF', async () => {
    const early = await newOwner(server, 'failing-early')
    const client = server.client(early.admin.accessToken)
    const company = early.company.id
    const other = await newIdentity(client, company)
    await client.notarizeIdentity({
      company,
      query: { mode: 'test' },
      params: { identityId: other.id },
      body: {},
    })
    const certificate = sampleCertificate()
    const id = await accept({ certificate })
    const record: CertificateDependencies['keys']['record'] = async (request) => {
      await deps.keys.record({ ...request, companyId: company, identityId: other.id })
      return deps.keys.record(request)
    }
    await run(id, { keys: { ...deps.keys, record } })
    await assertFailed(
      id,
      /^Rolling Mill recorded this certificate on \S+ \S+ UTC, in transaction \w{64}\. .* submit it again with own=true$/,
    )
  })

  test('fails at once: the ledger has recorded the certificate with another PDF', async () => {
    const certificate = sampleCertificate()
    const jsonHash = sha256(canonicalJson(certificate))
    const { transactionId } = await deps.keys.record({
      mode: 'test',
      companyId: mill.company.id,
      identityId: identity.id,
      asset: { jsonHash, pdfHash: '0'.repeat(64), schema: certificate.RefSchemaUrl },
      metadata: { timestamp: new Date().toISOString() },
      signal: generousDeadline(),
    })
    const id = await accept({ certificate })
    await run(id)
    await assertFailed(id, new RegExp(`already recorded this certificate in transaction ${transactionId}`))
    const payloads = (await eventsOf(server, mill.company.id)).map(({ payload }) => payload)
    assert.ok(!payloads.some((payload) => canonicalJson(payload as JsonValue) === canonicalJson(certificate)))
  })
})
