import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, RevokedCertificates } from '@millseal/contract'
import { decodeBase58, didOf } from '@millseal/proof'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { eventually } from '../../../../test/eventually.ts'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { eventsOf } from '../../../../test/traces.ts'

let server: TestServer
let mill: Owner
let receiver: Owner
before(async () => {
  server = await startTestServer()
  mill = await newOwner(server, 'adopting-mill')
  receiver = await newOwner(server, 'informed-works')
})
after(() => server[Symbol.asyncDispose]())

const client = () => server.client(mill.admin.accessToken)
const company = () => mill.company.id
const query = { mode: 'test' } as const

const notarize = (identity: Identity, email: string): Promise<Certificate> =>
  notarizeSample(client(), {
    company: company(),
    identity,
    certificate: sampleCertificate({ receiver: { vatId: receiver.company.vatId, email } }),
  })

const untilRevoked = (identity: Identity): Promise<true> =>
  eventually(async () => {
    const { status } = await client().readIdentity({ company: company(), query, params: { id: identity.id } })
    return status === 'revoked'
  })

const plain = (mail: string): string => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')

describe('a revocation that another system recorded on the log', () => {
  test('does not keep the owner from revoking the key earlier, if it names a time to come', async () => {
    const owner = await newOwner(server, 'outrun-mill')
    const own = server.client(owner.admin.accessToken)
    const identity = await newIdentity(own, owner.company.id)
    const about = { company: owner.company.id, query }
    await publishIdentity(own, { company: owner.company.id, identity })
    const { hash, text } = await notarizeSample(own, { company: owner.company.id, identity })
    const asset = {
      type: 'correction',
      action: 'revoke-key',
      did: identity.did,
      since: '2999-01-01T00:00:00.000Z',
      reason: 'By a thief who has the key',
    }
    const coinType = 822
    const unsigned = await own.buildTransaction({
      ...about,
      body: {
        coinType,
        bcdbOptions: {
          operation: 'CREATE',
          createOptions: {
            asset,
            metadata: null,
            issuers: [identity.publicKey],
            recipients: [{ publicKeys: [identity.publicKey], amount: '1' }],
          },
        },
      },
    })
    const { signedTx } = await own.signTransaction({
      company: owner.company.id,
      query: { ...query, identity: identity.id, type: 'transparent' },
      body: unsigned,
    })
    const [transaction] = signedTx
    assert.ok(transaction)
    await own.sendTransaction({ company: owner.company.id, query: { ...query, coinType }, body: transaction })
    await eventually(async () => {
      const feed = await fetch(`${server.url}/ledger/test/feed?did=${encodeURIComponent(identity.did)}`)
      return ((await feed.json()) as { kind: string }[]).some(({ kind }) => kind === 'correction')
    })
    const since = '2026-01-01T00:00:00.000Z'
    const body = { since, reason: 'Stolen' }
    const revoked = await own.revokeIdentity({ ...about, params: { id: identity.id }, body })
    assert.equal(revoked.revokedSince, since)
    const document = new Blob([text], { type: 'application/json' })
    const { verdict } = await server.client().verifyCertificate({ query, document })
    assert.equal(verdict, 'revoked', hash.value)
  })

  test('revokes the identity here, with its events and mails', async () => {
    const identity = await newIdentity(client(), company())
    const recovery = makeLedgerSigner()
    const recoveryDid = didOf(decodeBase58(recovery.publicKey))
    await client().notarizeIdentity({
      company: company(),
      query,
      params: { identityId: identity.id },
      body: { recoveryDid },
    })
    const { hash, timestamp = '' } = await notarize(identity, 'elsewhere@informed-works.example')
    const revocation = recovery.create({
      type: 'correction',
      action: 'revoke-key',
      did: identity.did,
      since: timestamp,
      reason: 'Signed offline',
    })
    const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(revocation),
    })
    assert.equal(answer.status, 202, await answer.text())
    await untilRevoked(identity)
    const { status, revokedSince } = await client().readIdentity({
      company: company(),
      query,
      params: { id: identity.id },
    })
    assert.deepEqual([status, revokedSince], ['revoked', timestamp])
    const payload = await eventually(async () => {
      const found = (await eventsOf(server, receiver.company.id)).find(({ topic }) =>
        topic.endsWith('/test/certificates/revoke_many'),
      )
      return found?.payload as RevokedCertificates | undefined
    })
    assert.deepEqual([payload.correction.by, payload.certificates[0]?.hash], ['recovery', hash.value])
    // In test mode only members of the issuer get mails.
    const [mail = ''] = await server.mailsTo(mill.admin.email, 1, /widerrufen/)
    assert.match(plain(mail), /mit dem Wiederherstellungsschl/)
  })
})
