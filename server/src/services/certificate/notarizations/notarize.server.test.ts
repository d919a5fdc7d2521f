import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Identity, limits, type Notarization } from '@millseal/contract'
import { canonicalJson } from '@millseal/proof'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  sha256,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { claimOne } from './claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { checkedByOwn } from '../../../../test/checked-by.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { notarizeCall } from './notarize-call.suite.ts'
import { notarize as notarizeDirectly, withTurns } from './notarize.ts'
import { endNotarizations } from './progress.store.ts'

let server: TestServer
let process: CertificateProcess
let deps: CertificateDependencies
let mill: Owner
let buyer: Owner
let millIdentity: Identity
let buyerIdentity: Identity
before(async () => {
  server = await startOwnServer()
  process = await openCertificateProcess(server)
  deps = process.deps
  mill = await newOwner(server, 'notarize-mill')
  buyer = await newOwner(server, 'notarize-buyer')
  millIdentity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  buyerIdentity = await newIdentity(server.client(buyer.admin.accessToken), buyer.company.id)
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Options = {
  readonly owner?: Owner
  readonly identity?: Identity
  readonly idempotencyKey?: string
}

const notarize = (
  certificate: object,
  { owner = mill, identity = millIdentity, idempotencyKey }: Options = {},
): Promise<Notarization> =>
  server.client(owner.admin.accessToken).notarizeCertificate({
    company: owner.company.id,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    idempotencyKey,
  })

const hashOf = (certificate: object) =>
  ({ algorithm: 'sha256', encoding: 'hex', value: sha256(canonicalJson(certificate as never)) }) as const

const accept = (certificate: object, mode?: 'test' | 'live') =>
  acceptCertificate(deps, {
    companyId: mill.company.id,
    identityId: millIdentity.id,
    certificate,
    mode,
  })

const audited = async (owner: Owner) =>
  (await auditOf(server, owner.company.id)).filter(({ action }) => action === 'certificates.notarize')

describe('notarizing a certificate', () => {
  test('stores it for the workers and writes the audit log', async () => {
    const certificate = sampleCertificate()
    const earlier = await audited(mill)
    const { isNewInstance, jobId = '', hash, timestamp, transactionId } = await notarize(certificate)
    assert.equal(isNewInstance, true)
    assert.equal(transactionId, undefined)
    assert.deepEqual(hash, hashOf(certificate))
    const stored = await storedCertificate(deps, jobId)
    assert.equal(timestamp, stored.createdAt.toISOString())
    assert.equal(stored.companyId, mill.company.id)
    assert.equal(stored.identityId, millIdentity.id)
    assert.equal(stored.refSchemaUrl, certificate.RefSchemaUrl)
    assert.equal(Buffer.from(stored.body ?? []).toString(), JSON.stringify(certificate))
    assert.deepEqual(JSON.parse(stored.summary), {
      identifier: certificate.Certificate.CommercialTransaction.A03,
      sellerName: 'Rolling Mill',
      buyerName: 'Bridge Works',
      productDescription: 'Hot rolled plate',
      heats: ['175508', '175508-1'],
      orderNumber: 'PO-4711',
      orderPosition: '10',
      deliveryNumber: 'DN-815',
    })
    const retainedMs = stored.retainedUntil.getTime() - stored.createdAt.getTime()
    assert.equal(retainedMs, limits.certificateRetentionDays * 86_400_000)
    assert.ok(stored.nextAttemptAt, 'workers find it')
    assert.deepEqual((await audited(mill)).slice(earlier.length), [
      {
        actor: `user:${mill.admin.id}`,
        action: 'certificates.notarize',
        details: { mode: 'test', hash: hash.value, identity: millIdentity.id, findings: 0 },
      },
    ])
  })

  test('accepts the same certificate as a file, with the same hash', async () => {
    const certificate = sampleCertificate()
    const answer = await server.client(mill.admin.accessToken).notarizeCertificateFile({
      company: mill.company.id,
      query: { mode: 'test', identity: millIdentity.id },
      document: new File([JSON.stringify(certificate, null, 2)], 'c.json', { type: 'application/json' }),
    })
    assert.deepEqual(answer.hash, hashOf(certificate))
    assert.equal(answer.isNewInstance, true)
  })

  test('has one effect if the request is repeated under its Idempotency-Key', async () => {
    const certificate = sampleCertificate()
    const first = await notarize(certificate, { idempotencyKey: 'notarize-this-once' })
    const count = (await audited(mill)).length
    assert.deepEqual(await notarize(certificate, { idempotencyKey: 'notarize-this-once' }), first)
    assert.equal((await audited(mill)).length, count)
  })

  test('treats the modes apart', async () => {
    const certificate = sampleCertificate()
    const live = await accept(certificate, 'live')
    const { isNewInstance, jobId } = await notarize(certificate)
    assert.equal(isNewInstance, true)
    assert.notEqual(jobId, live)
  })
})

describe('notarizing a certificate that was submitted before', () => {
  test('answers the notarization that is running, to its company and to another one', async () => {
    const certificate = sampleCertificate()
    const jobId = await accept(certificate)
    const counts = [(await audited(mill)).length, (await audited(buyer)).length]
    const expected = {
      isNewInstance: true,
      timestamp: (await storedCertificate(deps, jobId)).createdAt.toISOString(),
      hash: hashOf(certificate),
      checkedBy: await checkedByOwn(certificate.RefSchemaUrl),
      findings: [],
      jobId,
      state: 'accepted',
    }
    assert.deepEqual(await notarize(certificate), expected)
    assert.deepEqual(await notarize(certificate, { owner: buyer, identity: buyerIdentity }), expected)
    assert.deepEqual([(await audited(mill)).length, (await audited(buyer)).length], counts)
  })

  test('answers the transaction of one that is notarized', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    const recordedAt = new Date('2026-02-03T04:05:06.789Z')
    const transactionId = 'ab'.repeat(32)
    await claimOne(deps, id)
    await endNotarizations(
      deps.database.query,
      [{ id, state: 'notarized', transactionId, recordedAt }],
      new Date(),
    )
    const expected = {
      isNewInstance: false,
      timestamp: recordedAt.toISOString(),
      hash: hashOf(certificate),
      checkedBy: await checkedByOwn(certificate.RefSchemaUrl),
      findings: [],
      transactionId,
    }
    assert.deepEqual(await notarize(certificate), expected)
    assert.deepEqual(await notarize(certificate, { owner: buyer, identity: buyerIdentity }), expected)
  })

  test('answers what the ledger has recorded, without storing anything', async () => {
    const certificate = sampleCertificate()
    const hash = hashOf(certificate)
    const { transactionId, timestamp } = await deps.keys.record({
      mode: 'test',
      companyId: buyer.company.id,
      identityId: buyerIdentity.id,
      asset: { jsonHash: hash.value, pdfHash: '0'.repeat(64), schema: certificate.RefSchemaUrl },
      metadata: { timestamp: new Date().toISOString() },
      signal: generousDeadline(),
    })
    assert.deepEqual(await notarize(certificate), {
      isNewInstance: false,
      timestamp: timestamp.toISOString(),
      hash,
      checkedBy: await checkedByOwn(certificate.RefSchemaUrl),
      findings: [],
      transactionId,
      issuer: { did: buyerIdentity.did, time: timestamp.toISOString() },
    })
    const list = await server.client(mill.admin.accessToken).listCertificates({
      company: mill.company.id,
      query: { mode: 'test', hash: hash.value },
    })
    assert.deepEqual(list, [])
  })

  test('starts another notarization if the first one failed', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    await claimOne(deps, id)
    await endNotarizations(
      deps.database.query,
      [{ id, state: 'failed', error: 'no', reasons: null }],
      new Date(),
    )
    const { isNewInstance, jobId = '' } = await notarize(certificate)
    assert.equal(isNewInstance, true)
    assert.notEqual(jobId, id)
    assert.notEqual((await storedCertificate(deps, jobId)).state, 'failed')
  })

  test('asks the caller to try again if the first one fails at this moment', async () => {
    const certificate = sampleCertificate()
    const id = await accept(certificate)
    await claimOne(deps, id)
    // The first statement finds the notarization running; it fails before the second one reads it.
    const failFirst = async (): Promise<void> => {
      await endNotarizations(
        deps.database.query,
        [{ id, state: 'failed', error: 'no', reasons: null }],
        new Date(),
      )
    }
    const commit = (work: (tx: Transaction) => Promise<Notarization>) =>
      deps.database.transaction((tx) =>
        work(
          tx.withPlugin({
            transformQuery: ({ node }) => node,
            transformResult: async ({ result }) => {
              await failFirst()
              return result
            },
          }),
        ),
      )
    const call = notarizeCall({ mill, identity: millIdentity.id, certificate, commit })
    await assert.rejects(notarizeDirectly(withTurns(deps), call), {
      code: 'unavailable',
      retryAfterSeconds: 1,
    })
  })
})

describe('a certificate that is rejected', () => {
  const assertNothingStored = async (certificate: object): Promise<void> => {
    for (const owner of [mill, buyer]) {
      const found = await server.client(owner.admin.accessToken).listCertificates({
        company: owner.company.id,
        query: { mode: 'test', hash: hashOf(certificate).value },
      })
      assert.deepEqual(found, [])
    }
  }

  test('because its schema is unknown or it does not conform, is not stored', async () => {
    const certificate = sampleCertificate()
    const unknown = { ...certificate, RefSchemaUrl: 'https://example.com/schema.json' }
    await assertRefused(notarize(unknown), 'schema_unknown')
    await assertNothingStored(unknown)
    const { RefSchemaUrl } = certificate
    await assertRefused(notarize({ RefSchemaUrl }), 'certificate_invalid')
    await assertNothingStored({ RefSchemaUrl })
  })

  test('because the identity belongs to another company, is not stored', async () => {
    const certificate = sampleCertificate()
    await assertRefused(notarize(certificate, { identity: buyerIdentity }), 'not_found')
    await assertNothingStored(certificate)
  })

  test('because the wallet of the identity was wiped, is not stored', async () => {
    const wiped = await newOwner(server, 'wiped-mill')
    const client = server.client(wiped.admin.accessToken)
    const identity = await newIdentity(client, wiped.company.id)
    await client.wipeWallet({
      company: wiped.company.id,
      query: { mode: 'test' },
      params: { id: identity.wallet },
    })
    const certificate = sampleCertificate()
    await assertRefused(notarize(certificate, { owner: wiped, identity }), 'identity_not_usable')
    await assertNothingStored(certificate)
  })
})
