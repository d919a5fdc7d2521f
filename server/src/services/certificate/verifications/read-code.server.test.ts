import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, CodeAnswer, Identity, Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { sampleCertificate } from '../../../../test/certificates.ts'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
import { codeOf } from '../hashing/code.ts'

let server: TestServer
let process: CertificateProcess
let mill: Owner
const identities = new Map<Mode, Identity>()

before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '1000' } })
  process = await openCertificateProcess(server)
  mill = await newLiveOwner(server, 'coded-mill')
  for (const mode of ['test', 'live'] as const) {
    const identity = await newIdentity(client(), mill.company.id, mode)
    await publishIdentity(client(), { company: mill.company.id, identity, mode })
    identities.set(mode, identity)
  }
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const client = () => server.client(mill.admin.accessToken)
const identityIn = (mode: Mode): Identity => identities.get(mode) ?? assert.fail('no identity')

const notarize = (mode: Mode, certificate: object = sampleCertificate()) =>
  notarizeSample(client(), { company: mill.company.id, identity: identityIn(mode), mode, certificate })

const lookUp = (code: string): Promise<CodeAnswer> =>
  server.client().readCertificateCode({ params: { code } })
const verdictsOf = async ({ hash }: Pick<Certificate, 'hash'>): Promise<readonly string[]> =>
  (await lookUp(codeOf(hash.value))).certificates.map(({ mode, verdict }) => `${mode} ${verdict}`)

describe('the code of a certificate', () => {
  test('gives in each mode what the ledger says, as verification says it, and nothing of the certificate', async () => {
    const certificate = sampleCertificate()
    const { text, hash } = await notarize('test', certificate)
    assert.deepEqual(await verdictsOf({ hash }), ['test test'])
    await notarize('live', certificate)
    const { certificates } = await lookUp(codeOf(hash.value))
    const expected = await Promise.all(
      (['live', 'test'] as const).map(async (mode) => {
        const { isValid, matched, summary, answers, verdict, ...facts } = await server
          .client()
          .verifyCertificate({
            query: { mode },
            document: new Blob([text], { type: 'application/json' }),
          })
        assert.deepEqual([isValid, matched, summary?.identifier !== undefined], [true, 'json', true])
        const { issuer, time, status } = answers ?? assert.fail('no answers')
        return {
          ...facts,
          verdict: verdict === 'genuine' ? 'recorded' : verdict,
          answers: { issuer, time, status },
        }
      }),
    )
    const lasting = ({
      asOf,
      proof,
      ...rest
    }: {
      readonly asOf?: string
      readonly proof?: { url: string }
    }) => {
      assert.ok(asOf !== undefined)
      return { ...rest, url: proof?.url }
    }
    assert.deepEqual(certificates.map(lasting), expected.map(lasting))
    assert.deepEqual(
      certificates.map(({ mode, verdict, issuer }) => [mode, verdict, issuer?.name]),
      [
        ['live', 'recorded', mill.company.name],
        ['test', 'test', mill.company.name],
      ],
    )
  })

  test('says that it was replaced, and withdrawn, by whom and why', async () => {
    const [first, second] = [await notarize('live'), await notarize('live')]
    const about = { company: mill.company.id, params: { id: first.id } }
    await client().replaceCertificate({ ...about, body: { replacedBy: second.id, reason: 'Wrong heat' } })
    assert.deepEqual(await verdictsOf(first), ['live replaced'])
    assert.deepEqual(await verdictsOf(second), ['live recorded'])
    await client().withdrawCertificate({
      company: mill.company.id,
      params: { id: second.id },
      body: { reason: 'Not delivered' },
    })
    assert.deepEqual(await verdictsOf(second), ['live withdrawn'])
    const [found] = (await lookUp(codeOf(second.hash.value))).certificates
    const [correction] = found?.corrections ?? []
    assert.deepEqual(
      [correction?.kind, correction?.by, correction?.reason],
      ['withdrawn', 'issuer', 'Not delivered'],
    )
  })

  test('says that the key which signed it is revoked', async () => {
    const { admin, company } = await newOwner(server, 'robbed-mill')
    const owner = server.client(admin.accessToken)
    const identity = await newIdentity(owner, company.id)
    const { hash, timestamp = '' } = await notarizeSample(owner, { company: company.id, identity })
    assert.deepEqual(await verdictsOf({ hash }), ['test test'])
    await owner.revokeIdentity({
      company: company.id,
      query: { mode: 'test' },
      params: { id: identity.id },
      body: { since: timestamp, reason: 'Stolen' },
    })
    assert.deepEqual(await verdictsOf({ hash }), ['test revoked'])
  })

  test('is unknown until the ledger has the certificate, and so is one of a PDF or of nothing', async () => {
    const id = await acceptCertificate(process.deps, {
      companyId: mill.company.id,
      identityId: identityIn('test').id,
      certificate: sampleCertificate(),
    })
    const accepted = await storedCertificate(process.deps, id)
    await assertRefused(lookUp(codeOf(accepted.hash)), 'not_found')
    const { pdfHash } = await notarize('test')
    await assertRefused(lookUp(codeOf(pdfHash?.value ?? '')), 'not_found')
    await assertRefused(lookUp('A'.repeat(22)), 'not_found')
  })

  test('is not taken over by a stranger who records a hash that begins alike', async () => {
    const { hash } = await notarize('test')
    const jsonHash = hash.value.slice(0, 32) + '0'.repeat(32)
    const recorded = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      body: JSON.stringify(makeLedgerSigner().create({ jsonHash })),
    })
    assert.equal(recorded.status, 202)
    const { certificates } = await lookUp(codeOf(hash.value))
    assert.deepEqual(
      certificates.map((one) => one.hash),
      [hash],
    )
  })

  test('lists both if two certificates have the same code', async () => {
    const { hash } = await notarize('test')
    const { deps } = process
    const [companyId, identityId] = [mill.company.id, identityIn('test').id]
    const id = await acceptCertificate(deps, { companyId, identityId, certificate: sampleCertificate() })
    const jsonHash = hash.value.slice(0, 32) + 'f'.repeat(32)
    await sql`update certificates set hash = ${jsonHash} where id = ${id}`.execute(deps.database.query)
    await deps.keys.record({
      mode: 'test',
      companyId,
      identityId,
      asset: { jsonHash },
      metadata: { timestamp: new Date().toISOString() },
      signal: generousDeadline(),
    })
    const { certificates } = await lookUp(codeOf(hash.value))
    assert.deepEqual(
      certificates.map((one) => one.hash.value),
      [hash.value, jsonHash].toSorted(),
    )
  })

  test('is 400 with the name of the field if it has another length, a foreign character or spare bits', async () => {
    const almost = 'A'.repeat(21)
    for (const code of [almost, `${almost}AA`, `${almost}B`, `${almost}=`, `${almost}+`, 'a'.repeat(1_000)]) {
      const { status, answer } = await refusal(lookUp(code))
      assert.equal(status, 400, code)
      assert.match(answer?.message ?? '', /params\/code/)
    }
  })

  test('is looked up from every web origin, as often as files are verified', async () => {
    const response = await fetch(`${server.url}/api/certificates/codes/${'A'.repeat(22)}`, {
      headers: { origin: 'https://mill.example' },
    })
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('x-ratelimit-limit'), '60')
  })
})
