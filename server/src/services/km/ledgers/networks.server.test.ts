import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Company, Identity } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { openKmService, type SecondKmService } from '../../../../test/km-service.ts'
import { certificateAsset } from '../../../../test/ledger-signer.ts'
import { newOwner } from '../../../../test/machines.ts'
import { notarizeSample } from '../../../../test/offline.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'

const query = { mode: 'test' } as const

/** The server under test, and one of another operator that serves as the network. */
let server: TestServer
let network: TestServer
let km: SecondKmService
let operator: Client
let mill: Client
let company: Company
let identity: Identity

before(async () => {
  server = await startOwnServer()
  network = await startOwnServer()
  km = await openKmService(server)
  operator = server.client((await signUpOperator(server)).accessToken)
  const owner = await newOwner(server, 'networked-mill')
  mill = server.client(owner.admin.accessToken)
  company = owner.company
  identity = await newIdentity(mill, company.id)
})
after(async () => {
  await km[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await network[Symbol.asyncDispose]()
})

const record = (asset: ReturnType<typeof certificateAsset>) =>
  km.service.record({
    mode: 'test',
    companyId: company.id,
    identityId: identity.id,
    asset,
    metadata: { timestamp: '2026-01-01T00:00:00.000Z' },
    signal: generousDeadline(),
  })

const switchOn = async (id: string): Promise<void> => {
  await operator.updateNode({ query, params: { id }, body: { status: 'active' } })
  // The service of this test is another process, which reads the nodes again after a second.
  server.clock.advance({ seconds: 2 })
}

const isThere = async (id: string): Promise<boolean> =>
  (await fetch(`${network.url}/ledger/test/api/v1/transactions/${id}`)).status === 200

describe('a network in place of the embedded ledger', () => {
  test('receives new certificates; earlier ones are found where they are and not recorded again', async () => {
    const old = certificateAsset()
    const earlier = await record(old)
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType: 822, connectionUrl: `${network.url}/ledger/test` },
    })
    assert.equal((await operator.readNode({ query, params: { id: node.id } })).health?.reachable, true)
    await switchOn(node.id)

    const fresh = certificateAsset()
    const recorded = await record(fresh)
    assert.equal(recorded.isNew, true)
    assert.equal(await isThere(recorded.transactionId), true)
    assert.deepEqual(await record(fresh), recorded)
    const found = await km.service.findRecord({ mode: 'test', hash: fresh.pdfHash })
    assert.equal(found?.transactionId, recorded.transactionId)

    assert.deepEqual(await record(old), { ...earlier, isNew: false })
    assert.equal(await isThere(earlier.transactionId), false)
    assert.equal(
      (await km.service.findRecord({ mode: 'test', hash: old.jsonHash }))?.transactionId,
      earlier.transactionId,
    )
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('confirms no time and no status, so verifications say that they are not known', async () => {
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType: 822, connectionUrl: `${network.url}/ledger/test` },
    })
    await switchOn(node.id)
    const { text, transactionId, hash } = await notarizeSample(mill, { company: company.id, identity })
    assert.equal(await isThere(transactionId ?? ''), true)
    const answer = await server.client().verifyCertificate({
      query,
      document: new Blob([text], { type: 'application/json' }),
    })
    assert.equal(answer.isValid, true)
    assert.equal(answer.verdict, 'test')
    assert.deepEqual(answer.answers, {
      unchanged: 'yes',
      issuer: 'unknown',
      time: 'unknown',
      status: 'unknown',
    })
    assert.deepEqual([answer.corrections, answer.asOf, answer.proof], [[], undefined, undefined])
    const proof = server.client().readProof({ params: { hash: hash.value }, query })
    await assertRefused(proof, 'not_found')
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('does not keep withdrawals and revocations from the log that has the certificates', async () => {
    const owner = await newOwner(server, 'correcting-mill')
    const client = server.client(owner.admin.accessToken)
    const about = { company: owner.company.id, query }
    const own = await newIdentity(client, owner.company.id)
    const notarized = () => notarizeSample(client, { company: owner.company.id, identity: own })
    const verdictOf = async ({ text }: Awaited<ReturnType<typeof notarized>>) => {
      const document = new Blob([text], { type: 'application/json' })
      return (await server.client().verifyCertificate({ query, document })).verdict
    }
    const [withdrawn, kept] = [await notarized(), await notarized()]
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType: 822, connectionUrl: `${network.url}/ledger/test` },
    })
    await switchOn(node.id)
    await notarized()
    await client.withdrawCertificate({
      company: owner.company.id,
      params: { id: withdrawn.id },
      body: { reason: 'Wrong heat' },
    })
    assert.equal(await verdictOf(withdrawn), 'withdrawn')
    const since = kept.timestamp ?? ''
    await client.revokeIdentity({ ...about, params: { id: own.id }, body: { since, reason: 'Stolen' } })
    assert.equal(await verdictOf(kept), 'revoked')
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('does not keep from that log what owners sign themselves', async () => {
    const about = { company: company.id, query }
    const { text, transactionId = '' } = await notarizeSample(mill, { company: company.id, identity })
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType: 822, connectionUrl: `${network.url}/ledger/test` },
    })
    await switchOn(node.id)
    const withdrawal = await mill.buildTransaction({
      ...about,
      body: {
        coinType: 822,
        bcdbOptions: {
          operation: 'CREATE',
          createOptions: {
            asset: { type: 'correction', action: 'withdraw', transactionId, reason: 'Wrong heat' },
            metadata: null,
            issuers: [identity.publicKey],
            recipients: [{ publicKeys: [identity.publicKey], amount: '1' }],
          },
        },
      },
    })
    const { signedTx } = await mill.signTransaction({
      company: company.id,
      query: { ...query, identity: identity.id, type: 'transparent' },
      body: withdrawal,
    })
    await mill.sendTransaction({
      company: company.id,
      query: { ...query, coinType: 822 },
      body: signedTx[0] ?? assert.fail('nothing signed'),
    })
    const document = new Blob([text], { type: 'application/json' })
    assert.equal((await server.client().verifyCertificate({ query, document })).verdict, 'withdrawn')
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('receives publications of identities and transfers', async () => {
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType: 822, connectionUrl: `${network.url}/ledger/test/` },
    })
    await switchOn(node.id)
    const about = { company: company.id, query }
    await mill.notarizeIdentity({ ...about, params: { identityId: identity.id } })
    const { transactionId = '' } = await mill.readPublicIdentity({ ...about, params: { id: identity.id } })
    assert.equal(await isThere(transactionId), true)
    const transfer = await mill.buildTransaction({
      ...about,
      body: {
        coinType: 822,
        bcdbOptions: {
          operation: 'TRANSFER',
          transferOptions: {
            metadata: null,
            recipients: [{ publicKeys: [identity.publicKey], amount: '1' }],
            unspentOutputs: [{ txId: transactionId, outputIndex: 0 }],
          },
        },
      },
    })
    const { signedTx } = await mill.signTransaction({
      company: company.id,
      query: { mode: 'test', identity: identity.id, type: 'transparent' },
      body: transfer,
    })
    const { transaction } = await mill.sendTransaction({
      company: company.id,
      query: { mode: 'test', coinType: 822 },
      body: signedTx[0] ?? assert.fail('nothing signed'),
    })
    assert.equal(await isThere(transaction.transactionId ?? ''), true)
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('that does not answer hides no known hash, and no other hash is reported as unknown', async () => {
    const known = certificateAsset()
    await record(known)
    const [embedded] = await operator.listNodes({ query })
    const gone = await startOwnServer()
    const node = await operator.createNode({
      query,
      body: { name: 'Gone', coinType: 822, connectionUrl: `${gone.url}/ledger/test` },
    })
    await gone[Symbol.asyncDispose]()
    await switchOn(node.id)
    assert.notEqual(await km.service.findRecord({ mode: 'test', hash: known.jsonHash }), undefined)
    const unknown = km.service.findRecord({ mode: 'test', hash: certificateAsset().jsonHash })
    await assert.rejects(unknown, LedgerUnavailable)
    await assert.rejects(record(certificateAsset()), LedgerUnavailable)
    await assertRefused(
      mill.searchLedger({ company: company.id, query: { mode: 'test', coinType: 822, query: 'x' } }),
      'unavailable',
    )
    await switchOn(embedded?.id ?? '')
    await operator.deleteNode({ query, params: { id: node.id } })
    server.clock.advance({ seconds: 2 })
    assert.equal(await km.service.findRecord({ mode: 'test', hash: certificateAsset().jsonHash }), undefined)
  })
})
