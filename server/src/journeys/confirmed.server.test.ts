import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, ProofBundle } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { type CosignedServer, startCosignedServer } from '../../test/cosigner.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { notarizeSample, openVerifier } from '../../test/offline.ts'
import { signUpOperator } from '../../test/people.ts'
import { newIdentity } from '../../test/signers.ts'

describe('a certificate on a log with three cosigners, any two of whom are a quorum', () => {
  let opened: CosignedServer
  let mill: Owner
  let client: Client
  let identity: Identity
  before(async () => {
    opened = await startCosignedServer({ environment: { MILLSEAL_CONFIRM_WAIT_MS: '60000' } })
    mill = await newOwner(opened.server, 'confirmed-mill')
    client = opened.server.client(mill.admin.accessToken)
    identity = await newIdentity(client, mill.company.id)
  })
  after(() => opened[Symbol.asyncDispose]())

  const notarize = () => notarizeSample(client, { company: mill.company.id, identity })
  const read = (id: string): Promise<Certificate> =>
    client.readCertificate({ company: mill.company.id, params: { id } })
  const untilConfirmed = (id: string, by: readonly string[]): Promise<Certificate> =>
    eventually(
      async () => {
        const found = await read(id)
        return found.confirmedBy?.join() === by.join() && found
      },
      { what: `the certificate is confirmed by ${by.join()}` },
    )
  const readProof = async ({ hash }: Certificate, wait?: number) => {
    const query = `mode=test${wait === undefined ? '' : `&wait=${wait}`}`
    const response = await fetch(`${opened.server.url}/api/certificates/proof/${hash.value}?${query}`)
    assert.equal(response.status, 200)
    const bundle = (await response.json()) as ProofBundle
    const verify = await openVerifier(opened.server)
    const { answers } = verify({ kind: 'json', hash: hash.value }, bundle)
    assert.equal(answers.unchanged, 'yes')
    const lines = bundle.proof.split('\n').filter((line) => all.some((name) => line.startsWith(`— ${name} `)))
    const signed = Number(response.headers.get('millseal-confirmed')?.replace(/\/3$/, ''))
    assert.equal(signed, lines.length)
    return { signed, status: answers.status }
  }
  const all = ['inspector.example', 'association.example', 'mill-b.example']

  test('says when its entry was confirmed, and by whom', async () => {
    const { id } = await notarize()
    const { confirmedAt = '', timestamp = '', confirmedBy } = await untilConfirmed(id, all)
    assert.ok(confirmedAt >= timestamp, 'it is recorded first')
    const [listed] = await client.listCertificates({ company: mill.company.id, query: { mode: 'test' } })
    assert.deepEqual([listed?.confirmedAt, listed?.confirmedBy], [confirmedAt, confirmedBy])
    const life = await client.readCertificateLife({ company: mill.company.id, params: { id } })
    assert.deepEqual(life.confirmed, { at: confirmedAt, by: all })
  })

  test('has a proof that waits for a quorum, and a mail that says who confirmed it', async () => {
    const certificate = await notarize()
    await eventually(async () => (await readProof(certificate, 10)).signed >= 2, {
      what: 'the proof has the signatures of a quorum',
    })
    const response = await fetch(
      `${opened.server.url}/api/certificates/proof/${certificate.hash.value}?mode=test&wait=11`,
    )
    assert.equal(response.status, 400)
    const number = certificate.summary?.identifier ?? ''
    const [mail = ''] = await opened.server.mailsTo(mill.admin.email, 1, new RegExp(number))
    assert.match(mail, /^Confirmed\b.* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/m)
  })

  test('is confirmed by the other two if one is down', async () => {
    opened.cosigners[0]?.stop()
    const { id } = await notarize()
    await untilConfirmed(id, all.slice(1))
    const operator = opened.server.client((await signUpOperator(opened.server)).accessToken)
    const [away, ...others] = await eventually(
      async () => {
        const log = (await operator.readStatus()).logs.find(({ mode }) => mode === 'test')
        const [, second] = log?.holders ?? []
        return second?.entries === log?.entries && log?.holders
      },
      { what: 'operators see who has signed how many entries' },
    )
    assert.deepEqual([away?.name, away?.key], ['w1', 'inspector.example'])
    for (const { since = '', signedAt = '', entries = 0 } of others) {
      assert.ok(since < signedAt)
      assert.ok(entries > (away?.entries ?? 0))
    }
    opened.cosigners[0]?.start()
  })

  test('is notarized without a quorum, and confirmed once there is one again', async () => {
    for (const cosigner of opened.cosigners) cosigner.stop()
    const { id, state, timestamp } = await notarize()
    assert.equal(state, 'notarized')
    const waiting = await read(id)
    assert.deepEqual([waiting.confirmedAt, waiting.confirmedBy], [undefined, undefined])
    const { confirmed, recorded } = await client.readCertificateLife({
      company: mill.company.id,
      params: { id },
    })
    assert.deepEqual([confirmed, recorded?.at], [undefined, timestamp])
    for (const cosigner of opened.cosigners) cosigner.start()
    await untilConfirmed(id, all)
  })

  test('has a proof that says at once that it was withdrawn, without a quorum until there is one again', async () => {
    const certificate = await notarize()
    await untilConfirmed(certificate.id, all)
    for (const cosigner of opened.cosigners) cosigner.stop()
    await client.withdrawCertificate({
      company: mill.company.id,
      params: { id: certificate.id },
      body: { reason: 'Wrong heat' },
    })
    assert.deepEqual(await readProof(certificate), { signed: 0, status: 'no' })
    for (const cosigner of opened.cosigners) cosigner.start()
    const { status } = await eventually(async () => {
      const found = await readProof(certificate, 10)
      return found.signed >= 2 && found
    })
    assert.equal(status, 'no')
  })
})

describe('the mail of a certificate that nobody confirms', () => {
  test('is sent without that', async () => {
    await using opened = await startCosignedServer({ environment: { MILLSEAL_CONFIRM_WAIT_MS: '0' } })
    for (const cosigner of opened.cosigners) cosigner.stop()
    const mill = await newOwner(opened.server, 'unconfirmed-mill')
    const client = opened.server.client(mill.admin.accessToken)
    const identity = await newIdentity(client, mill.company.id)
    const certificate = await notarizeSample(client, { company: mill.company.id, identity })
    const number = certificate.summary?.identifier ?? ''
    const [mail = ''] = await opened.server.mailsTo(mill.admin.email, 1, new RegExp(number))
    assert.doesNotMatch(mail, /^Confirmed/m)
    assert.match(mail, /^Recorded/m)
  })
})
