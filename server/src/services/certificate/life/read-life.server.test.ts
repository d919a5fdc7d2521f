import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CertificateLife, Identity } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Client } from '@millseal/sdk'
import { acceptCertificate } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { eventually } from '../../../../test/eventually.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { newMailHook } from '../../../../test/mail-hooks.ts'
import { notarizeSample } from '../../../../test/offline.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { newHook } from '../../../../test/webhooks.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { failNotarization } from '../notarizations/fail-notarization.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let identity: Identity
let client: Client
before(async () => {
  opened = await openMill('living-mill')
  ;({ server, deps, mill } = opened)
  client = server.client(mill.admin.accessToken)
  identity = await newIdentity(client, mill.company.id)
})
after(() => opened[Symbol.asyncDispose]())

const notarize = (by: Client = client) => notarizeSample(by, { company: mill.company.id, identity })
const read = (id: string): Promise<CertificateLife> =>
  client.readCertificateLife({ company: mill.company.id, params: { id } })

describe('the life of a certificate', () => {
  test('has every step that happened, with its time, and who submitted the certificate', async () => {
    const certificate = await notarize()
    const life = await read(certificate.id)
    const { id, mode, state, createdAt, timestamp = '', transactionId, pdfHash, retainedUntil } = certificate
    assert.deepEqual({ id: life.id, mode: life.mode, state: life.state }, { id, mode, state })
    assert.deepEqual(life.accepted, {
      at: createdAt,
      by: { kind: 'user', id: mill.admin.id, name: mill.admin.username },
    })
    assert.equal(life.rendered?.pdfHash, pdfHash?.value)
    const record = await deps.keys.findRecord({ mode: 'test', hash: certificate.hash.value, file: 'json' })
    assert.deepEqual(life.recorded, { at: timestamp, transactionId, entry: record?.index })
    assert.ok((life.recorded?.entry ?? -1) >= 0)
    const times = [life.accepted.at, life.rendered?.at ?? '', life.completed?.at ?? '', retainedUntil ?? '']
    assert.deepEqual(times, times.toSorted())
    assert.ok(!times.includes(''))
    assert.equal(life.failed, undefined)
    assert.deepEqual(life.corrections, [])
    assert.deepEqual(
      life.mails.map(({ about, to, state: sent, reason }) => [about, to, sent === 'not_sent', reason]),
      [
        ['certificate', mill.admin.email, false, undefined],
        ['certificate', 'mill@example.com', true, 'test_mode'],
        ['certificate', 'receiver@example.com', true, 'test_mode'],
      ],
    )
  })

  test('names the application or the long-lived token that submitted it, while it exists', async () => {
    const application = await newApplication(server, mill, { scopes: everyScope, description: 'Line 1' })
    const { id } = await notarize(server.client(await tokenOf(server, application)))
    const by = { kind: 'application', id: application.id }
    assert.deepEqual((await read(id)).accepted.by, { ...by, name: application.name })
    await client.deleteApplication({ company: mill.company.id, params: { id: application.id } })
    assert.deepEqual((await read(id)).accepted.by, by)

    const token = await client.createAccessToken({
      company: mill.company.id,
      query: { mode: 'test' },
      body: { scopes: everyScope, description: 'Press shop' },
    })
    const other = await notarize(server.client(token.jwt))
    assert.deepEqual((await read(other.id)).accepted.by, {
      kind: 'accesstoken',
      id: token.id,
      name: 'Press shop',
    })
  })

  test('has only the first step of one that waits, and the reason of one that failed', async () => {
    const accept = () =>
      acceptCertificate(deps, {
        companyId: mill.company.id,
        identityId: identity.id,
        certificate: sampleCertificate(),
      })
    const { accepted, state, ...waiting } = await read(await accept())
    assert.equal(state, 'accepted')
    assert.deepEqual(Object.keys(accepted), ['at'], 'who submitted it is not known')
    assert.deepEqual(Object.keys(waiting).toSorted(), ['corrections', 'id', 'mails', 'mode'])

    const id = await accept()
    const running = (await claimOne(deps, id)) ?? assert.fail()
    await failNotarization(deps, {
      running,
      reasons: [because('transaction_refused', { why: 'The ledger refused it' })],
    })
    const failed = await read(id)
    assert.equal(failed.failed?.error, 'The ledger refused it')
    assert.equal(failed.failed.reasons?.[0]?.code, 'transaction_refused')
    assert.ok(failed.failed.at !== undefined && failed.failed.at >= failed.accepted.at)
    assert.deepEqual([failed.recorded, failed.completed], [undefined, undefined])
    assert.deepEqual(
      failed.mails.map(({ about, to }) => [about, to]),
      [['failure', mill.admin.email]],
    )
  })

  test('has its corrections, with their mails', async () => {
    const { id } = await notarize()
    const company = mill.company.id
    await client.withdrawCertificate({ company, params: { id }, body: { reason: 'Wrong heat number' } })
    const { corrections, mails } = await read(id)
    assert.deepEqual(
      corrections.map(({ kind, by, reason }) => [kind, by, reason]),
      [['withdrawn', 'issuer', 'Wrong heat number']],
    )
    const about = mails.map((mail) => mail.about)
    assert.deepEqual([...new Set(about)], ['certificate', 'correction'])
  })

  test('is not readable for another company', async () => {
    const { id } = await notarize()
    const other = await newOwner(server, 'curious-mill')
    const call = { company: other.company.id, params: { id } }
    await assertRefused(server.client(other.admin.accessToken).readCertificateLife(call), 'not_found')
  })
})

test('events and mails of mail hooks are listed by the certificate that they are about', async () => {
  const owner = await newOwner(server, 'listening-mill')
  const company = owner.company.id
  const by = server.client(owner.admin.accessToken)
  const signer = await newIdentity(by, company)
  const scopes = [
    { resource: 'certificates', actions: ['notarize_one', 'withdraw_one'], mode: 'test' as const },
  ]
  await newHook(server, owner, { connectionUrl: 'https://receiver.invalid/hook', scopes })
  await newMailHook(server, owner, { scopes })
  const [first, second] = [
    await notarizeSample(by, { company, identity: signer }),
    await notarizeSample(by, { company, identity: signer }),
  ]
  await by.withdrawCertificate({ company, params: { id: first.id }, body: { reason: 'Wrong heat number' } })
  const expected = [
    { id: first.id, actions: ['withdraw_one', 'notarize_one'] },
    { id: second.id, actions: ['notarize_one'] },
    { id: signer.id, actions: [] },
  ]
  const listed = async () => {
    for (const { id: certificate, actions } of expected) {
      const query = { certificate }
      const events = await by.listEvents({ company, query })
      const mails = await by.listMails({ company, query })
      for (const list of [events, mails])
        if (JSON.stringify(list.map(({ action }) => action)) !== JSON.stringify(actions)) return false
    }
    return true
  }
  await eventually(listed, { what: 'the events and mails of each certificate are listed' })
  assert.equal((await by.listEvents({ company })).length, 3)
  const foreign = { company: mill.company.id, query: { certificate: first.id } }
  assert.deepEqual(await client.listEvents(foreign), [])
  assert.deepEqual(await client.listMails(foreign), [])
})
