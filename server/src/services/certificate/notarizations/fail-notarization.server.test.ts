import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { because, type Reason } from '@millseal/contract/reasons'
import {
  acceptCertificate,
  jobsAbout,
  rejectInserts,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { claimOne } from './claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import type { Owner } from '../../../../test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { eventsOf } from '../../../../test/traces.ts'
import type { CertificateDependencies, EndedNotarization } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { failureMail } from '../mails/failure-mail.ts'
import { failNotarization } from './fail-notarization.ts'
import { endNotarizations, type RunningNotarization } from './progress.store.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
before(async () => {
  opened = await openMill('fail-mill', { vatId: 'IT00743110157' })
  ;({ server, deps, mill } = opened)
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), mill.company.id)
})
after(() => opened[Symbol.asyncDispose]())

const begin = async (certificate: object = sampleCertificate()): Promise<RunningNotarization> => {
  const id = await acceptCertificate(deps, {
    companyId: mill.company.id,
    identityId: mill.company.id,
    certificate,
  })
  const running = await claimOne(deps, id)
  assert.ok(running)
  return running
}

const refused = (why: string): readonly Reason[] => [because('transaction_refused', { why })]

describe('failing a notarization', () => {
  test('stores state and reason, and mails every contact of the issuer', async () => {
    const contacts = ['quality@example.com', 'sales@example.com']
    for (const contact of contacts) {
      await signUp(server, contact.split('@')[0] ?? '')
      await server.client(mill.admin.accessToken).addMember({
        params: { id: mill.company.id },
        body: { email: contact, role: 'operator' },
      })
    }
    await server.client(mill.admin.accessToken).updateCompany({
      params: { id: mill.company.id },
      body: { emails: contacts },
    })
    const running = await begin()
    server.clock.advance({ minutes: 1 })
    const counted: EndedNotarization[] = []
    const onEnded = (ended: EndedNotarization) => counted.push(ended)
    await failNotarization({ ...deps, onEnded }, { running, reasons: refused('The ledger refused it') })
    assert.deepEqual(
      counted.map(({ mode, outcome }) => ({ mode, outcome })),
      [{ mode: running.mode, outcome: 'failed' }],
    )
    const { state, error, updatedAt, body } = await storedCertificate(deps, running.id)
    assert.equal(state, 'failed')
    assert.equal(error, 'The ledger refused it')
    assert.ok(updatedAt.getTime() >= running.updatedAt.getTime() + 60_000)
    assert.ok(body !== null, 'the body stays until the retention ends')
    assert.deepEqual(
      (await jobsAbout(deps, failureMail, running.id)).map(({ address }) => address).toSorted(),
      contacts,
    )
    for (const contact of contacts) {
      const [mail = ''] = await server.mailsTo(contact, 1, /could not be notarized/)
      assert.match(mail, /The ledger refused it/)
    }
  })

  test('writes no event', async () => {
    const running = await begin()
    await failNotarization(deps, { running, reasons: refused('no') })
    const topics = (await eventsOf(server, mill.company.id)).map(({ topic }) => topic)
    assert.deepEqual(
      topics.filter((topic) => topic.includes('/certificates/')),
      [],
    )
  })

  test('stores the codes and values of the reasons beside their sentences', async () => {
    const running = await begin()
    const reasons = [because('identity_revoked'), because('no_active_node', { mode: 'live' })]
    await failNotarization(deps, { running, reasons })
    const stored = await storedCertificate(deps, running.id)
    assert.equal(stored.error, 'The identity is revoked. No ledger node is active in live mode')
    assert.deepEqual(JSON.parse(stored.reasons ?? ''), reasons)
  })

  test('cuts a long reason at 500 characters', async () => {
    const running = await begin()
    await failNotarization(deps, { running, reasons: refused('x'.repeat(501)) })
    assert.equal((await storedCertificate(deps, running.id)).error, 'x'.repeat(500))
  })

  test('has no effect if another run notarized the certificate first', async () => {
    const running = await begin()
    const end = {
      state: 'notarized',
      transactionId: 'ab'.repeat(32),
      recordedAt: new Date(),
    } as const
    await endNotarizations(deps.database.query, [{ id: running.id, ...end }], new Date())
    const notarized = await storedCertificate(deps, running.id)
    const counted: EndedNotarization[] = []
    const onEnded = (ended: EndedNotarization) => counted.push(ended)
    await failNotarization({ ...deps, onEnded }, { running, reasons: refused('too late') })
    assert.deepEqual(counted, [])
    assert.deepEqual(await storedCertificate(deps, running.id), notarized)
    assert.deepEqual(await jobsAbout(deps, failureMail, running.id), [])
  })

  test('stores nothing if the mails cannot be enqueued', async () => {
    const running = await begin()
    {
      await using _rejecting = await rejectInserts(deps, 'pgboss.job')
      await assert.rejects(failNotarization(deps, { running, reasons: refused('no') }), /interrupted/)
    }
    assert.equal((await storedCertificate(deps, running.id)).state, 'running')
  })

  test('allows the same certificate to be submitted again', async () => {
    const certificate = sampleCertificate()
    const running = await begin(certificate)
    await assert.rejects(begin(certificate), /certificates_(?:one|first)_notarization/)
    await failNotarization(deps, { running, reasons: refused('no') })
    const again = await begin(certificate)
    assert.notEqual(again.id, running.id)
    assert.equal(again.hash, running.hash)
  })
})
