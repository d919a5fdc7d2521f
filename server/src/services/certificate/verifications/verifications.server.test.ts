import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Verification } from '@millseal/contract'
import { summarize } from '@millseal/families'
import { canonicalJson, type JsonValue, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  sha256,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { runClaimed } from '../notarizations/claimed.suite.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from '../certificates/certificate-response.ts'

let server: TestServer
let process: CertificateProcess
let deps: CertificateDependencies
let mill: Owner
let identity: Identity
let certificate: ReturnType<typeof sampleCertificate>
let notarized: Certificate
let pdf: Uint8Array<ArrayBuffer>

before(async () => {
  server = await startOwnServer()
  process = await openCertificateProcess(server)
  deps = process.deps
  mill = await newOwner(server, 'verified-mill')
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  certificate = sampleCertificate()
  const certificateId = await acceptCertificate(deps, {
    companyId: mill.company.id,
    identityId: identity.id,
    certificate,
  })
  await runClaimed(deps, certificateId)
  const stored = await storedCertificate(deps, certificateId)
  notarized = toCertificateResponse(stored)
  pdf = Uint8Array.from(stored.pdf ?? [])
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const verify = (
  content: string | Uint8Array<ArrayBuffer>,
  mode: 'test' | 'live' = 'test',
): Promise<Verification> =>
  server.client().verifyCertificate({
    query: { mode },
    document: new Blob([content], {
      type: typeof content === 'string' ? 'application/json' : 'application/pdf',
    }),
  })

/** What is known about a test certificate whose identity is not public. */
const inTestMode = () => ({
  verdict: 'test' as const,
  mode: 'test' as const,
  answers: { unchanged: 'yes', issuer: 'unknown', time: 'yes', status: 'yes' } as const,
  issuer: { did: identity.did },
  corrections: [],
})
const missing = (mode: 'test' | 'live' = 'test') => ({ isValid: false, verdict: 'notFound' as const, mode })
const hex = (value: string) => ({ algorithm: 'sha256', encoding: 'hex', value }) as const
const render = (content: object) =>
  server
    .client(mill.admin.accessToken)
    .renderCertificate({
      query: { type: 'pdf' },
      document: new Blob([JSON.stringify(content)], { type: 'application/json' }),
    })
    .then(async (blob) => new Uint8Array(await blob.arrayBuffer()))

const record = (asset: Readonly<Record<string, string>>) =>
  deps.keys.record({
    mode: 'test',
    companyId: mill.company.id,
    identityId: identity.id,
    asset,
    metadata: { timestamp: new Date().toISOString() },
    signal: generousDeadline(),
  })

describe('verifying a JSON certificate', () => {
  test('that was notarized gives transaction, time, summary and where the proof is', async () => {
    const { proof, asOf, ...answer } = await verify(JSON.stringify(certificate, null, 3))
    assert.deepEqual(answer, {
      isValid: true,
      ...inTestMode(),
      matched: 'json',
      hash: notarized.hash,
      summary: summarize({ json: certificate }),
      timestamp: notarized.timestamp,
      transactionId: notarized.transactionId,
    })
    assert.equal(proof?.url, `${server.url}/api/certificates/proof/${notarized.hash.value}?mode=test`)
    const evidence = await deps.keys.proveRecords({
      mode: 'test',
      transactionIds: [notarized.transactionId ?? ''],
      subjects: [],
    })
    assert.equal(proof?.logIndex, evidence?.entries[0]?.index)
    assert.match(proof?.checkpoint ?? '', /^localhost/)
    assert.ok(asOf !== undefined && asOf >= (notarized.timestamp ?? ''))
  })

  test('that was notarized in the other mode, or not at all, is not valid', async () => {
    assert.deepEqual(await verify(JSON.stringify(certificate), 'live'), {
      ...missing('live'),
      hash: notarized.hash,
    })
    const unknown = sampleCertificate()
    assert.deepEqual(await verify(JSON.stringify(unknown)), {
      ...missing(),
      hash: hex(sha256(canonicalJson(unknown))),
    })
  })

  test('does not accept the hash of a PDF for that of a certificate', async () => {
    const disguised = sampleCertificate()
    const hash = sha256(canonicalJson(disguised))
    await record({ jsonHash: '1'.repeat(64), pdfHash: hash })
    assert.equal((await verify(JSON.stringify(disguised))).isValid, false)
  })

  test('is rejected if it cannot be read', async () => {
    await assertRefused(verify('{"RefSchemaUrl":"a","RefSchemaUrl":"b"}'), 'malformed_json')
  })
})

describe('verifying a PDF', () => {
  test('that was notarized gives the facts and the summary of the embedded certificate', async () => {
    const { proof, asOf = '', ...answer } = await verify(pdf)
    assert.ok(asOf >= (notarized.timestamp ?? ''))
    assert.deepEqual(answer, {
      isValid: true,
      ...inTestMode(),
      matched: 'pdf',
      hash: notarized.pdfHash,
      summary: summarize({ json: certificate }),
      timestamp: notarized.timestamp,
      transactionId: notarized.transactionId,
    })
    assert.equal(proof?.url, `${server.url}/api/certificates/proof/${notarized.pdfHash?.value}?mode=test`)
  })

  test('that was saved again is not valid, but the embedded certificate is', async () => {
    const saved = Uint8Array.from(Buffer.concat([pdf, Buffer.from('\n')]))
    assert.deepEqual(await verify(saved), {
      ...missing(),
      hash: hex(sha256(saved)),
      embedded: { isValid: true, hash: notarized.hash },
    })
  })

  test('that embeds an unknown certificate is not valid, and neither is the certificate', async () => {
    const unknown = sampleCertificate()
    const rendered = await render(unknown)
    assert.deepEqual(await verify(rendered), {
      ...missing(),
      hash: hex(sha256(rendered)),
      embedded: { isValid: false, hash: hex(sha256(canonicalJson(unknown))) },
    })
  })

  test('that was read as text is refused, and says so; its bytes as JSON are verified', async () => {
    const asJson = (body: string | Uint8Array<ArrayBuffer>) =>
      fetch(`${server.url}/api/certificates/verify?mode=test`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const damaged = await asJson(new TextDecoder().decode(pdf))
    assert.equal(damaged.status, 400)
    const { details } = (await damaged.json()) as { readonly details: readonly string[] }
    assert.match(details.join(), /^This is a PDF that a program read as text/)
    assert.equal(((await (await asJson(pdf)).json()) as Verification).isValid, true)
  })

  test('that embeds no certificate is answered by its hash alone', async () => {
    const plain = Uint8Array.from(Buffer.from('%PDF-1.7\n%%EOF\n'))
    assert.deepEqual(await verify(plain), { ...missing(), hash: hex(sha256(plain)) })
  })

  test('shows no summary if the embedded certificate is not the one that was recorded with it', async () => {
    const foreign = await render(sampleCertificate())
    await record({ jsonHash: '2'.repeat(64), pdfHash: sha256(foreign) })
    const { isValid, matched, summary } = await verify(foreign)
    assert.deepEqual({ isValid, matched, summary }, { isValid: true, matched: 'pdf', summary: {} })
  })

  test('shows no summary of a recorded PDF that embeds nothing', async () => {
    const plain = Uint8Array.from(Buffer.from('%PDF-1.7\n% nothing inside\n'))
    await record({ jsonHash: '3'.repeat(64), pdfHash: sha256(plain) })
    const { isValid, summary } = await verify(plain)
    assert.deepEqual({ isValid, summary }, { isValid: true, summary: {} })
  })
})

describe('the proof of a certificate', () => {
  const readProof = (hash: string, mode: 'test' | 'live' = 'test') =>
    server.client().readProof({ params: { hash }, query: { mode } })

  test('is found by either hash, in upper or lower case', async () => {
    const bundle = await readProof(notarized.hash.value)
    assert.equal(bundle.formatVersion, 2)
    const { jsonHash, pdfHash } = bundle.entry.transaction.asset['data'] as Record<string, unknown>
    assert.equal(jsonHash, notarized.hash.value)
    assert.equal(pdfHash, notarized.pdfHash?.value)
    assert.equal(bundle.entry.time, notarized.timestamp)
    assert.equal(bundle.entry.transaction.id, notarized.transactionId)
    assert.match(bundle.proof, /^c2sp\.org\/tlog-proof.*\n.*\/ledger\/test\n/s)
    assert.deepEqual([bundle.identity, bundle.review, bundle.corrections], [undefined, undefined, []])
    assert.equal(bundle.status.length, 2)
    for (const hash of [notarized.hash.value.toUpperCase(), notarized.pdfHash?.value ?? '']) {
      assert.deepEqual((await readProof(hash)).entry, bundle.entry)
    }
  })

  test('has format 3 for those who ask for it, with the state leaf of the log', async () => {
    const { value: hash } = notarized.hash
    const readFormat = (format: number) =>
      server.client().readProof({ params: { hash }, query: { mode: 'test', format } })
    const bundle = await readFormat(3)
    assert.deepEqual([bundle.formatVersion, bundle.stamps, bundle.countersignatures], [3, [], []])
    const vkey = await (await fetch(`${server.url}/ledger/test/vkey`)).text()
    const policy = readPolicy({ logs: [vkey.trim()] }, nodePrimitives)
    const answerFor = (more: object) => {
      const json = JSON.parse(JSON.stringify({ ...bundle, ...more })) as JsonValue
      const claim = { file: { kind: 'json', hash }, bundle: json, policy, now: new Date() } as const
      return verifyBundle(claim, nodePrimitives).answers.unchanged
    }
    assert.equal(answerFor({}), 'yes')
    assert.equal(answerFor({ state: { path: bundle.identity?.path ?? '' } }), 'no')
    const { state, stamps, countersignatures, ...others } = bundle
    assert.ok(state !== undefined && stamps !== undefined && countersignatures !== undefined)
    const older = await readFormat(2)
    assert.deepEqual(Object.keys(others), Object.keys(older))
    for (const format of [1, 4, 2.5]) await assertRefused(readFormat(format), 'validation_failed')
  })

  test('does not exist for unknown hashes, the other mode, or an entry without a certificate', async () => {
    await assertRefused(readProof('0'.repeat(64)), 'not_found')
    await assertRefused(readProof(notarized.hash.value, 'live'), 'not_found')
    const pdfHash = '4'.repeat(64)
    await record({ pdfHash })
    await assertRefused(readProof(pdfHash), 'not_found')
  })
})

describe('the issuer', () => {
  test('is named by verification and proof as soon as its identity is public, and not before', async () => {
    const text = JSON.stringify(certificate)
    const { identity: hidden, company: hiddenCompany } = await verify(text)
    assert.deepEqual([hidden, hiddenCompany], [undefined, undefined])
    const params = { hash: notarized.hash.value }
    assert.equal((await server.client().readProof({ params, query: { mode: 'test' } })).identity, undefined)

    await server.client(mill.admin.accessToken).notarizeIdentity({
      company: mill.company.id,
      query: { mode: 'test' },
      params: { identityId: identity.id },
    })
    const { identity: shown, company } = await verify(text)
    assert.deepEqual(shown, { id: identity.id, publicKey: identity.publicKey, did: identity.did })
    assert.deepEqual(company, { name: mill.company.name })
    const { identity: proven } = await server.client().readProof({ params, query: { mode: 'test' } })
    const published = proven?.transaction.asset['data'] as Record<string, unknown>
    assert.equal(published['did'], identity.did)
    assert.equal(published['publicKey'], identity.publicKey)
    assert.equal(published['company'], mill.company.name)
    assert.match(proven?.transaction.id ?? '', /^[0-9a-f]{64}$/)
  })
})
