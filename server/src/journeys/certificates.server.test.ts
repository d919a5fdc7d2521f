import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Notarization } from '@millseal/contract'
import { canonicalJson, type JsonValue, portablePrimitives, readPolicy, verifyBundle } from '@millseal/proof'
import { sampleCertificate } from '../../test/certificates.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { assertRefused } from '../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { auditOf, eventsOf } from '../../test/traces.ts'

const mode = { mode: 'test' } as const

let server: TestServer
let mill: Owner
let buyer: Owner
let identity: Identity

before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'plate-mill')
  buyer = await newOwner(server, 'bridge-works')
  identity = await identityOf(mill)
})
after(() => server[Symbol.asyncDispose]())

const as = (owner: Owner) => server.client(owner.admin.accessToken)

const identityOf = (owner: Owner): Promise<Identity> => newIdentity(as(owner), owner.company.id)

const notarize = (owner: Owner, signer: Identity, certificate: object): Promise<Notarization> =>
  as(owner).notarizeCertificate({
    company: owner.company.id,
    query: { ...mode, identity: signer.id },
    document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
  })

const ended = (owner: Owner, jobId: string | undefined): Promise<Certificate> =>
  endedNotarization(as(owner), { company: owner.company.id, jobId })

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const fetchBytes = async (path: string): Promise<Response> =>
  fetch(`${server.url}/api${path}`, {
    headers: { authorization: `Bearer ${mill.admin.accessToken}`, company: mill.company.id },
  })
const verify = (type: string, bytes: Uint8Array | string): Promise<Response> =>
  fetch(`${server.url}/api/certificates/verify?mode=test`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: bytes,
  })

describe('the life of a certificate', () => {
  test('is notarized once: state, ledger, PDF, events, mails; anybody can verify JSON or PDF', async () => {
    const certificate = sampleCertificate({
      receiver: { vatId: buyer.company.vatId, email: 'goods-in@example.com' },
    })
    const accepted = await notarize(mill, identity, certificate)
    const hash = sha256(canonicalJson(certificate))
    assert.equal(accepted.isNewInstance, true)
    assert.deepEqual(accepted.hash, { algorithm: 'sha256', encoding: 'hex', value: hash })

    const done = await ended(mill, accepted.jobId)
    assert.equal(done.state, 'notarized', done.error)
    assert.match(done.transactionId ?? '', /^[0-9a-f]{64}$/)
    assert.equal(done.summary?.identifier, certificate.Certificate.CommercialTransaction.A03)

    const pdf = Buffer.from(await (await fetchBytes(`/certificates/${done.id}/pdf`)).arrayBuffer())
    assert.equal(sha256(pdf), done.pdfHash?.value)
    const json = await (await fetchBytes(`/certificates/${done.id}/json`)).text()
    assert.equal(json, JSON.stringify(certificate))

    for (const [type, bytes, matched] of [
      ['application/json', JSON.stringify(certificate, null, 3), 'json'],
      ['application/pdf', pdf, 'pdf'],
    ] as const) {
      const answer = (await (await verify(type, bytes)).json()) as Record<string, unknown>
      assert.equal(answer['isValid'], true)
      assert.equal(answer['matched'], matched)
      assert.equal(answer['transactionId'], done.transactionId)
      assert.deepEqual(answer['summary'], done.summary)
      assert.equal(answer['identity'], undefined, 'the identity is not public')
    }

    for (const [owner, action] of [
      [mill, 'notarize_one'],
      [buyer, 'receive_one'],
    ] as const) {
      const told = (await eventsOf(server, owner.company.id)).filter(({ topic }) =>
        topic.includes('/certificates/'),
      )
      assert.deepEqual(told, [
        { topic: `company/${owner.company.id}/test/certificates/${action}`, payload: certificate },
      ])
    }
    const [mail = ''] = await server.mailsTo(mill.admin.email, 1, /Certificate MC-/)
    assert.match(mail, /filename="?certificate-MC-[^"]*\.pdf/)
    assert.match(mail, /filename="?certificate-MC-[^"]*\.json/)
    const { mails = [] } = await ended(mill, accepted.jobId)
    assert.deepEqual(
      mails
        .map(({ to, reason }) => [to, reason] as const)
        .toSorted(([one], [other]) => one.localeCompare(other)),
      [
        ['goods-in@example.com', 'test_mode'],
        ['mill@example.com', 'test_mode'],
        [mill.admin.email, undefined],
      ],
      'in test mode, others are only listed',
    )
    const audited = await auditOf(server, mill.company.id)
    assert.equal(audited.filter(({ action }) => action === 'certificates.notarize').length, 1)
  })

  test('has a bundle that proves it offline', async () => {
    const certificate = sampleCertificate()
    const done = await ended(mill, (await notarize(mill, identity, certificate)).jobId)
    const bundle = (await (
      await fetch(`${server.url}/api/certificates/proof/${done.hash.value}?mode=test`)
    ).json()) as JsonValue
    const key = await (await fetch(`${server.url}/ledger/test/vkey`)).text()
    const policy = readPolicy({ logs: [key.trim()] }, portablePrimitives)
    const file = { kind: 'json', hash: sha256(canonicalJson(certificate)) } as const
    const now = new Date(server.clock.now())
    const report = verifyBundle({ file, bundle, policy, now }, portablePrimitives)
    assert.equal(report.answers.unchanged, 'yes', JSON.stringify(report.checks))
    assert.doesNotMatch(JSON.stringify(bundle), /Rolling Mill|Bridge Works|PO-4711/)
  })

  test('names the company in verifications once its identity is public', async () => {
    const signer = await as(mill).createIdentity({
      company: mill.company.id,
      query: mode,
      body: { coinType: 822, account: 7, wallet: identity.wallet },
    })
    const certificate = sampleCertificate()
    await ended(mill, (await notarize(mill, signer, certificate)).jobId)
    await as(mill).notarizeIdentity({
      company: mill.company.id,
      query: mode,
      params: { identityId: signer.id },
    })
    const answer = (await (await verify('application/json', JSON.stringify(certificate))).json()) as {
      identity?: { id: string }
      company?: { name: string }
    }
    assert.equal(answer.identity?.id, signer.id)
    assert.equal(answer.company?.name, mill.company.name)
  })

  test('has one job and one entry after twenty simultaneous requests of two companies, then isNewInstance false', async () => {
    const certificate = sampleCertificate()
    const foreign = await identityOf(buyer)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? notarize(mill, identity, certificate) : notarize(buyer, foreign, certificate),
      ),
    )
    const jobs = new Set(answers.flatMap(({ jobId }) => jobId ?? []))
    assert.equal(jobs.size, 1)
    const [job] = jobs
    const owners = await Promise.allSettled(
      [mill, buyer].map((owner) =>
        as(owner).readCertificate({ company: owner.company.id, params: { id: job ?? '' } }),
      ),
    )
    assert.equal(owners.filter(({ status }) => status === 'fulfilled').length, 1)
    const owner = owners[0]?.status === 'fulfilled' ? mill : buyer
    const done = await ended(owner, job)
    for (const again of [
      await notarize(mill, identity, certificate),
      await notarize(buyer, foreign, certificate),
    ]) {
      assert.equal(again.isNewInstance, false)
      assert.equal(again.transactionId, done.transactionId)
      assert.equal(again.jobId, undefined)
    }
  })

  test('is not valid if it is unknown, which is an answer and not an error', async () => {
    const response = await verify('application/json', JSON.stringify(sampleCertificate()))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const answer = (await response.json()) as Record<string, unknown>
    assert.equal(answer['isValid'], false)
    assert.equal(answer['message'], undefined)
  })

  test('is refused before anything is stored if its schema, content or identity is wrong', async () => {
    const certificate = sampleCertificate()
    await assertRefused(
      notarize(mill, identity, { ...certificate, RefSchemaUrl: 'https://example.com/schema.json' }),
      'schema_unknown',
    )
    const { Validation: _, ...rest } = certificate.Certificate
    await assertRefused(
      notarize(mill, identity, { ...certificate, Certificate: rest }),
      'certificate_invalid',
    )
    await assertRefused(notarize(buyer, identity, certificate), 'not_found')
    const list = await as(mill).listCertificates({
      company: mill.company.id,
      query: { ...mode, hash: sha256(canonicalJson(certificate)) },
    })
    assert.deepEqual(list, [])
  })
})
