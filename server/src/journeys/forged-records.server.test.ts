import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Verification } from '@millseal/contract'
import {
  canonicalJson,
  type JsonValue,
  portablePrimitives,
  readPolicy,
  type SignedTransaction,
  verifyBundle,
} from '@millseal/proof'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { makeLedgerSigner } from '../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { newIdentity } from '../../test/signers.ts'
import { eventually } from '../../test/eventually.ts'

const mode = { mode: 'test' } as const
const forger = makeLedgerSigner()

let server: TestServer
let mill: Owner
let client: Client
let identity: Identity
before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'impersonated-mill')
  client = server.client(mill.admin.accessToken)
  const about = { company: mill.company.id, query: mode }
  identity = await newIdentity(client, mill.company.id)
  await client.notarizeIdentity({ ...about, params: { identityId: identity.id } })
})
after(() => server[Symbol.asyncDispose]())

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const randomHash = (): string => randomBytes(32).toString('hex')

/** Without an account, as anybody can if the ledger of a mode is open. */
const recordAsAnybody = async (transaction: SignedTransaction): Promise<void> => {
  const response = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(transaction),
  })
  assert.equal(response.status, 202, await response.text())
}

const verify = async (bytes: Uint8Array | string): Promise<Verification> => {
  const type = typeof bytes === 'string' ? 'application/json' : 'application/pdf'
  const response = await fetch(`${server.url}/api/certificates/verify?mode=test`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: bytes,
  })
  return (await response.json()) as Verification
}

const notarized = async (certificate: object): Promise<{ done: Certificate; pdf: Uint8Array }> => {
  const { jobId = assert.fail('no job') } = await client.notarizeCertificate({
    company: mill.company.id,
    query: { ...mode, identity: identity.id },
    document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
  })
  const one = { company: mill.company.id, params: { id: jobId } }
  const done = await eventually(async () => {
    const found = await client.readCertificate(one)
    return found.state === 'notarized' && found
  })
  return { done, pdf: new Uint8Array(await (await client.readCertificatePdf(one)).arrayBuffer()) }
}

const offlineAnswer = async (hash: string): Promise<string> => {
  const bundle = (await client.readProof({ query: mode, params: { hash } })) as unknown as JsonValue
  const key = await (await fetch(`${server.url}/ledger/test/vkey`)).text()
  const policy = readPolicy({ logs: [key.trim()] }, portablePrimitives)
  const claim = {
    file: { kind: 'pdf', hash },
    bundle,
    policy,
    now: new Date(server.clock.now()),
  } as const
  return verifyBundle(claim, portablePrimitives).answers.unchanged
}

describe('a stranger who records the hashes of others', () => {
  test('is not named as the company that receives the record', async () => {
    const certificate = sampleCertificate()
    const jsonHash = sha256(canonicalJson(certificate))
    await recordAsAnybody(forger.createFor(identity.publicKey, { jsonHash, pdfHash: randomHash() }))
    const answer = await verify(JSON.stringify(certificate))
    assert.equal(answer.identity, undefined)
    assert.equal(answer.company, undefined)
    const proof = await client.readProof({ query: mode, params: { hash: jsonHash } })
    assert.equal(proof.identity, undefined)
  })

  test('cannot make a PDF invalid by recording its hash again', async () => {
    const { done, pdf } = await notarized(sampleCertificate())
    const pdfHash = sha256(pdf)
    await recordAsAnybody(forger.create({ jsonHash: pdfHash }))
    await recordAsAnybody(forger.create({ jsonHash: randomHash(), pdfHash }))
    const answer = await verify(pdf)
    assert.deepEqual([answer.isValid, answer.transactionId], [true, done.transactionId])
    assert.equal(answer.company?.name, mill.company.name)
    assert.equal(await offlineAnswer(pdfHash), 'yes')
  })

  test('cannot prevent a notarization by recording the hash of the certificate as that of a PDF', async () => {
    const certificate = sampleCertificate()
    const pdfHash = sha256(canonicalJson(certificate))
    await recordAsAnybody(forger.create({ jsonHash: randomHash(), pdfHash }))
    const { done } = await notarized(certificate)
    const answer = await verify(JSON.stringify(certificate))
    assert.deepEqual([answer.isValid, answer.transactionId], [true, done.transactionId])
  })

  test('cannot add a summary to a PDF that was recorded with another certificate', async () => {
    const { pdf } = await notarized(sampleCertificate())
    const changed = Buffer.concat([pdf, Buffer.from('\n% saved again\n')])
    await recordAsAnybody(forger.create({ jsonHash: randomHash(), pdfHash: sha256(changed) }))
    const answer = await verify(changed)
    assert.deepEqual([answer.matched, answer.summary], ['pdf', {}])
  })
})
