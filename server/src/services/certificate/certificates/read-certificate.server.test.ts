import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@millseal/sdk'
import { acceptCertificate, storedCertificate } from '../../../../test/certificate-service.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { endNotarizations, storePdfs } from '../notarizations/progress.store.ts'
import { toMailState } from './read-certificate.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let other: Owner
let client: Client
before(async () => {
  opened = await openMill('reading-mill')
  ;({ server, deps, mill } = opened)
  other = await newOwner(server, 'reading-other')
  client = server.client(mill.admin.accessToken)
})
after(() => opened[Symbol.asyncDispose]())

const company = () => mill.company.id
const identityId = '11111111-1111-4111-8111-111111111111'
const otherIdentityId = '22222222-2222-4222-8222-222222222222'
const pdfHash = 'cd'.repeat(32)

const accept = (certificate: object = sampleCertificate(), identity = identityId) =>
  acceptCertificate(deps, { companyId: company(), identityId: identity, certificate })

const notarized = async (certificate: object = sampleCertificate()): Promise<string> => {
  const id = await accept(certificate, otherIdentityId)
  await claimOne(deps, id)
  await storePdfs(deps.database.query, [{ id, pdf: Buffer.from('%PDF-'), pdfHash, seal: null }], new Date())
  const recordedAt = new Date('2026-02-03T04:05:06.789Z')
  const end = { state: 'notarized', transactionId: 'ab'.repeat(32), recordedAt } as const
  await endNotarizations(deps.database.query, [{ id: id, ...end }], new Date())
  return id
}

describe('reading a certificate', () => {
  test('leaves out what is not known before the end', async () => {
    const id = await accept(sampleCertificate({ number: 'MC-1' }))
    const stored = await storedCertificate(deps, id)
    assert.deepEqual(await client.readCertificate({ company: company(), params: { id } }), {
      id,
      createdAt: stored.createdAt.toISOString(),
      updatedAt: stored.updatedAt.toISOString(),
      mode: 'test',
      state: 'accepted',
      refSchemaUrl: stored.refSchemaUrl,
      hash: { algorithm: 'sha256', encoding: 'hex', value: stored.hash },
      identity: identityId,
      owner: company(),
      summary: JSON.parse(stored.summary) as object,
      retainedUntil: stored.retainedUntil.toISOString(),
    })
  })

  test('shows PDF hash, transaction and time of a notarized one, and the error of a failed one', async () => {
    const read = async (id: string) => client.readCertificate({ company: company(), params: { id } })
    const done = await read(await notarized())
    assert.equal(done.state, 'notarized')
    assert.deepEqual(done.pdfHash, { algorithm: 'sha256', encoding: 'hex', value: pdfHash })
    assert.equal(done.transactionId, 'ab'.repeat(32))
    assert.equal(done.timestamp, '2026-02-03T04:05:06.789Z')
    assert.equal(done.error, undefined)

    const id = await accept()
    await claimOne(deps, id)
    await endNotarizations(
      deps.database.query,
      [{ id: id, state: 'failed', error: 'refused', reasons: null }],
      new Date(),
    )
    const failed = await read(id)
    assert.equal(failed.state, 'failed')
    assert.equal(failed.error, 'refused')
    assert.equal(failed.transactionId, undefined)
  })

  test('gives the JSON at once and the PDF after the end', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    const about = { company: company(), params: { id } }
    assert.equal(await (await client.readCertificateJson(about)).text(), JSON.stringify(certificate))
    await assertRefused(client.readCertificatePdf(about), 'certificate_pending')
    await claimOne(deps, id)
    await assertRefused(client.readCertificatePdf(about), 'certificate_pending')
    await endNotarizations(
      deps.database.query,
      [{ id: id, state: 'failed', error: 'no', reasons: null }],
      new Date(),
    )
    await assertRefused(client.readCertificatePdf(about), 'certificate_erased')
    const pdf = await client.readCertificatePdf({ company: company(), params: { id: await notarized() } })
    assert.equal(await pdf.text(), '%PDF-')
  })

  test('is refused to another company and to a machine of the other mode', async () => {
    const id = await notarized()
    const foreign = server.client(other.admin.accessToken)
    const about = { company: other.company.id, params: { id } }
    await assertRefused(foreign.readCertificate(about), 'not_found')
    await assertRefused(foreign.readCertificateJson(about), 'not_found')
    await assertRefused(foreign.readCertificatePdf(about), 'not_found')
    const live = await acceptCertificate(deps, {
      companyId: company(),
      identityId,
      certificate: sampleCertificate(),
      mode: 'live',
    })
    const machine = await tokenOf(server, await newApplication(server, mill, { scopes: everyScope }))
    const reader = server.client(machine)
    assert.equal((await reader.readCertificate({ params: { id } })).id, id)
    await assertRefused(reader.readCertificate({ params: { id: live } }), 'mode_mismatch')
  })
})

describe('listing certificates', () => {
  test('filters by state, identity and either hash, newest first, page by page', async () => {
    const lister = await newOwner(server, 'listing-mill')
    const listing = server.client(lister.admin.accessToken)
    const acceptFor = (mode: 'test' | 'live', identity = identityId) =>
      acceptCertificate(deps, {
        companyId: lister.company.id,
        identityId: identity,
        certificate: sampleCertificate(),
        mode,
      })
    const first = await acceptFor('test')
    const second = await acceptFor('test', otherIdentityId)
    await acceptFor('live')
    await claimOne(deps, second)
    const rendered = { id: second, pdf: Buffer.from('%PDF-'), pdfHash: 'ef'.repeat(32), seal: null }
    await storePdfs(deps.database.query, [rendered], new Date())
    const list = async (query: object = {}) =>
      (await listing.listCertificates({ company: lister.company.id, query: { mode: 'test', ...query } })).map(
        ({ id }) => id,
      )
    const both = [first, second].toSorted().toReversed()
    assert.deepEqual(await list(), both)
    assert.deepEqual(await list({ state: 'accepted' }), [first])
    assert.deepEqual(await list({ state: 'running' }), [second])
    assert.deepEqual(await list({ state: 'failed' }), [])
    assert.deepEqual(await list({ identity: otherIdentityId }), [second])
    assert.deepEqual(await list({ hash: (await storedCertificate(deps, first)).hash }), [first])
    assert.deepEqual(await list({ hash: 'ef'.repeat(32) }), [second])
    assert.deepEqual(await list({ hash: 'ef'.repeat(32), state: 'accepted' }), [])
    assert.deepEqual(await list({ limit: 1 }), both.slice(0, 1))
    assert.deepEqual(await list({ limit: 1, after: both[0] }), both.slice(1))
  })
})

test('a mail is held back, refused, sent or still to be sent, once or again', () => {
  const none = {
    address: 'a@example.com',
    heldBack: null,
    refusal: null,
    sentAt: null,
    isSaved: false,
    again: 0,
  }
  const sentAt = new Date('2026-11-23T12:00:00Z')
  const states = [
    none,
    { ...none, sentAt },
    { ...none, sentAt, isSaved: true },
    { ...none, refusal: '550', sentAt },
    { ...none, heldBack: 'test_mode', again: 1 } as const,
  ].map(toMailState)
  const to = none.address
  assert.deepEqual(states, [
    { to, state: 'waiting', reason: undefined, sentAt: undefined, saved: undefined, again: undefined },
    {
      to,
      state: 'sent',
      reason: undefined,
      sentAt: sentAt.toISOString(),
      saved: undefined,
      again: undefined,
    },
    { to, state: 'sent', reason: undefined, sentAt: sentAt.toISOString(), saved: true, again: undefined },
    {
      to,
      state: 'refused',
      reason: undefined,
      sentAt: sentAt.toISOString(),
      saved: undefined,
      again: undefined,
    },
    { to, state: 'not_sent', reason: 'test_mode', sentAt: undefined, saved: undefined, again: true },
  ])
})
