import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Certificate, type Identity, limits } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { sha256 } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import {
  everyScope,
  newApplication,
  newLiveOwner,
  newOwner,
  type Owner,
  tokenOf,
} from '../../../../test/machines.ts'
import { notarizeSample } from '../../../../test/offline.ts'
import { type Person, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { eraseBodies } from './certificates.store.ts'

const dayMs = 86_400_000

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let identity: Identity
let operator: Person
before(async () => {
  opened = await openMill('sending-mill')
  ;({ server, deps, mill } = opened)
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  operator = await signUpOperator(server)
})
after(() => opened[Symbol.asyncDispose]())

const send = (vatId: string | undefined, number?: string, signer: Identity = identity) =>
  notarizeSample(server.client(mill.admin.accessToken), {
    company: mill.company.id,
    identity: signer,
    certificate: sampleCertificate({ number, receiver: { vatId } }),
  })

const clientOf = ({ admin }: Owner): Client => server.client(admin.accessToken)

/** The ids of what it received. */
const received = async (owner: Owner, query: object = {}): Promise<string[]> =>
  (
    await clientOf(owner).listCertificates({
      company: owner.company.id,
      query: { mode: 'test', direction: 'received', ...query },
    })
  ).map(({ id }) => id)

const newReceiver = async (name: string): Promise<Owner> => {
  const owner = await newOwner(server, name)
  await verifyCompany(server, operator, owner.company.id)
  return owner
}

const assertUnreadable = async (owner: Owner, id: string): Promise<void> => {
  const about = { company: owner.company.id, params: { id } }
  const client = clientOf(owner)
  await assertRefused(client.readCertificate(about), 'not_found')
  await assertRefused(client.readCertificateJson(about), 'not_found')
  await assertRefused(client.readCertificatePdf(about), 'not_found')
  await assertRefused(client.readCertificateLife(about), 'not_found')
}

describe('a company whose VAT id a certificate names as receiver', () => {
  test('reads it, its files and its proof once an operator has reviewed the VAT id, and never before', async () => {
    const buyer = await newOwner(server, 'reading-buyer')
    const sent = await send(buyer.company.vatId.toLowerCase())
    const counts = () =>
      clientOf(buyer).countCertificates({ company: buyer.company.id, query: { mode: 'test' } })
    await assertRefused(received(buyer), 'company_unverified')
    assert.match((await refusal(received(buyer))).message, /query\/direction/)
    assert.equal((await counts()).received, undefined)
    await assertUnreadable(buyer, sent.id)

    await verifyCompany(server, operator, buyer.company.id)
    assert.deepEqual(await received(buyer), [sent.id])
    assert.deepEqual((await counts()).received, { count: 1, isExact: true })
    const about = { company: buyer.company.id, params: { id: sent.id } }
    const { text, mails, ...shown } = sent
    assert.ok(mails !== undefined && mails.length > 0, 'the issuer sees who was mailed')
    assert.deepEqual(await clientOf(buyer).readCertificate(about), shown satisfies Certificate)
    assert.equal(await (await clientOf(buyer).readCertificateJson(about)).text(), text)
    const pdf = await (await clientOf(buyer).readCertificatePdf(about)).arrayBuffer()
    assert.equal(sha256(new Uint8Array(pdf)), sent.pdfHash?.value)
    const proof = await clientOf(buyer).readProof({
      query: { mode: 'test' },
      params: { hash: sent.hash.value },
    })
    assert.equal(proof.entry.transaction.id, sent.transactionId)

    const { accessToken } = operator
    await server.client(accessToken).reviewCompany({
      params: { id: buyer.company.id },
      body: { decision: 'rejected', reason: 'The VAT id is not theirs' },
    })
    await assertRefused(received(buyer), 'company_unverified')
    await assertUnreadable(buyer, sent.id)
  })

  test('cannot withdraw or replace it, nor read its life', async () => {
    const buyer = await newReceiver('changing-buyer')
    const { id } = await send(buyer.company.vatId)
    const about = { company: buyer.company.id, params: { id } }
    const reason = 'Not ours to say'
    await assertRefused(clientOf(buyer).withdrawCertificate({ ...about, body: { reason } }), 'not_found')
    await assertRefused(
      clientOf(buyer).replaceCertificate({ ...about, body: { reason, replacedBy: id } }),
      'not_found',
    )
    await assertRefused(clientOf(buyer).readCertificateLife(about), 'not_found')
  })

  test('reads it with machines of the same mode only', async () => {
    const buyer = await newLiveOwner(server, 'machine-buyer')
    const { id } = await send(buyer.company.vatId)
    const machine = async (mode: 'test' | 'live') =>
      server.client(await tokenOf(server, await newApplication(server, buyer, { mode, scopes: everyScope })))
    assert.equal((await (await machine('test')).readCertificate({ params: { id } })).id, id)
    await assertRefused((await machine('live')).readCertificate({ params: { id } }), 'mode_mismatch')
  })
})

test('no other company can read a received certificate, verified or not: 404', async () => {
  const buyer = await newReceiver('private-buyer')
  const third = await newReceiver('third-company')
  const unverified = await newOwner(server, 'fourth-company')
  const { id } = await send(buyer.company.vatId)
  assert.deepEqual(await received(third), [])
  for (const owner of [third, unverified]) await assertUnreadable(owner, id)
})

describe('the list of received certificates', () => {
  let buyer: Owner
  let other: Identity
  let sent: Certificate[]
  before(async () => {
    buyer = await newReceiver('listing-buyer')
    const client = server.client(mill.admin.accessToken)
    const about = { company: mill.company.id, query: { mode: 'test' } } as const
    other = await client.createIdentity({
      ...about,
      body: { coinType: 822, account: 1, wallet: identity.wallet },
    })
    sent = []
    for (const [number, signer] of [
      ['RC-1', identity],
      ['RC-2', other],
      ['RC-3', identity],
    ] as const) {
      sent.unshift(await send(buyer.company.vatId, number, signer))
      server.clock.advance({ seconds: 1 })
    }
    await send(undefined, 'RC-4')
  })

  const ids = (...places: number[]) => places.map((place) => sent[place]?.id ?? assert.fail())

  test('is searched and filtered as the list of issued ones, newest first', async () => {
    const cases: readonly (readonly [object, string[]])[] = [
      [{}, ids(0, 1, 2)],
      [{ text: 'rc' }, ids(0, 1, 2)],
      [{ text: 'RC-2 bridge' }, ids(1)],
      [{ text: 'rc nothing' }, []],
      [{ state: 'notarized' }, ids(0, 1, 2)],
      [{ state: 'failed' }, []],
      [{ identity: other.id }, ids(1)],
      [{ identity: other.id, text: 'rc' }, ids(1)],
      [{ family: 'en10168', text: 'rc' }, ids(0, 1, 2)],
      [{ family: 'coa' }, []],
      [{ hash: sent[2]?.pdfHash?.value.slice(0, 12) }, ids(2)],
      [{ notarizedFrom: sent[1]?.timestamp }, ids(0, 1)],
      [{ createdFrom: sent[1]?.createdAt, createdTo: sent[0]?.createdAt }, ids(1)],
      [{ mode: 'live' }, []],
    ]
    for (const [query, expected] of cases)
      assert.deepEqual(await received(buyer, query), expected, JSON.stringify(query))
  })

  test('is paged by cursor, while new ones arrive, and says how many there are', async () => {
    for (const [number, query] of [
      ['RC-5', {}],
      ['RC-6', { text: 'rc' }],
    ] as const) {
      const first = await received(buyer, { ...query, limit: 2 })
      assert.deepEqual(first, ids(0, 1))
      const rest = sent.slice(2).map(({ id }) => id)
      sent.unshift(await send(buyer.company.vatId, number))
      assert.deepEqual(await received(buyer, { ...query, after: first[1] }), rest)
    }
    const response = await fetch(`${server.url}/api/certificates?mode=test&direction=received&limit=1`, {
      headers: { authorization: `Bearer ${buyer.admin.accessToken}`, company: buyer.company.id },
    })
    assert.equal(response.headers.get('x-total-count'), String(sent.length))
    assert.equal(response.headers.get('x-total-count-exact'), 'true')
    assert.match(response.headers.get('link') ?? '', /direction=received/)
  })

  test('leaves out what the company issued itself', async () => {
    const company = mill.company.id
    await verifyCompany(server, operator, company)
    assert.deepEqual(await received(mill), [])
    const issued = await clientOf(mill).listCertificates({ company, query: { mode: 'test', text: 'RC-2' } })
    assert.equal(issued.length, 1)
  })
})

test('after the retention a receiver finds a certificate by everything but its text, without its files', async () => {
  const buyer = await newReceiver('late-buyer')
  const { id } = await send(buyer.company.vatId, 'LATE-1')
  assert.deepEqual(await received(buyer, { text: 'late' }), [id])
  await eraseBodies(
    deps.database.query,
    new Date(server.clock.now() + (limits.certificateRetentionDays + 1) * dayMs),
  )
  assert.deepEqual(await received(buyer, { text: 'late' }), [])
  assert.deepEqual(await received(buyer), [id])
  const about = { company: buyer.company.id, params: { id } }
  await assertRefused(clientOf(buyer).readCertificatePdf(about), 'certificate_erased')
  await assertRefused(clientOf(buyer).readCertificateJson(about), 'certificate_erased')
})
