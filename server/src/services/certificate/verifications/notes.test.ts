import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Identity, ProofBundle, Verification } from '@millseal/contract'
import { canonicalJson } from '@millseal/proof'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { foundCompany, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { codeOf } from '../hashing/code.ts'

const query = { mode: 'test' } as const

let server: TestServer
let owner: Owner
let identity: Identity
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'noted-mill')
  identity = await newIdentity(server.client(owner.admin.accessToken), owner.company.id)
})
after(() => server[Symbol.asyncDispose]())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const verify = (text: string): Promise<Verification> =>
  server.client().verifyCertificate({ query, document: new Blob([text], { type: 'application/json' }) })
const proofOf = async (hash: string): Promise<{ bundle: ProofBundle; notes: string | null }> => {
  let notes: string | null = null
  const onHeaders = (headers: Headers) => (notes = headers.get('x-notes'))
  return { bundle: await server.client().readProof({ params: { hash }, query, onHeaders }), notes }
}

describe('an entry that no notarization of this service recorded', () => {
  test('is said to be unchecked by a verification, and with its proof, but not inside of it', async () => {
    const text = JSON.stringify(sampleCertificate())
    const jsonHash = sha256(canonicalJson(JSON.parse(text)))
    const sent = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      body: JSON.stringify(makeLedgerSigner().create({ jsonHash })),
    })
    assert.equal(sent.status, 202)
    const { verdict, notes, message } = await verify(text)
    assert.deepEqual([verdict, notes], ['test', [{ code: 'not_checked_here', values: {} }]])
    assert.match(message ?? '', /^Not checked by Millseal: .*\.$/)
    const proof = await proofOf(jsonHash)
    assert.equal(proof.notes, 'not_checked_here')
    const report = (await openVerifier(server))({ kind: 'json', hash: jsonHash }, proof.bundle)
    assert.equal(report.answers.unchanged, 'yes')
    assert.doesNotMatch(JSON.stringify([proof.bundle, report]), /not.checked/i)
  })
})

describe('an entry that this service notarized', () => {
  test('has no such note, also after its company is deleted', async () => {
    const client = server.client(owner.admin.accessToken)
    const { text, hash } = await notarizeSample(client, { company: owner.company.id, identity })
    const assertChecked = async (): Promise<void> => {
      const { isValid, notes, message } = await verify(text)
      assert.deepEqual([isValid, notes, message], [true, undefined, undefined])
      assert.equal((await proofOf(hash.value)).notes, null)
    }
    await assertChecked()
    const { certificates } = await server
      .client()
      .readCertificateCode({ params: { code: codeOf(hash.value) } })
    assert.equal(certificates[0]?.notes, undefined)
    await client.deleteCompany({ params: { id: owner.company.id } })
    await assertChecked()
  })
})

describe('an entry of a reviewed company', () => {
  const notesOf = async (name: string, person: string) => {
    const admin = await signUp(server, `named-${person}`)
    const company = await foundCompany(server, admin, { name })
    await verifyCompany(server, await signUpOperator(server), company.id)
    const client = server.client(admin.accessToken)
    const signing = { company: company.id, identity: await newIdentity(client, company.id) }
    await publishIdentity(client, signing)
    const { text, hash } = await notarizeSample(client, signing)
    return { verified: (await verify(text)).notes, proof: (await proofOf(hash.value)).notes }
  }

  test('has a note if letters of the company’s name are of several alphabets', async () => {
    const name = '\u0391cme Steel'
    assert.deepEqual(await notesOf(name, 'in-greek'), {
      verified: [{ code: 'name_of_several_alphabets', values: { name } }],
      proof: 'name_of_several_alphabets',
    })
  })

  test('has none if they are of one', async () => {
    assert.deepEqual(await notesOf('Acme Works', 'in-latin'), { verified: undefined, proof: null })
  })
})
