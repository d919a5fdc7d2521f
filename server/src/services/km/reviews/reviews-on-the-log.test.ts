import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Identity, Mode, ProofBundle } from '@millseal/contract'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { sql } from 'kysely'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { enableMfa, type Person, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { enqueueMissingReviews } from '../identities/record-reviews.ts'

let server: TestServer
let process: CertificateProcess
let operator: Person
before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
  operator = await signUpOperator(server)
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const clientOf = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const modes = ['test', 'live'] as const

const proofOf = (hash: string, mode: Mode): Promise<ProofBundle> =>
  server.client().readProof({ params: { hash }, query: { mode } })

const assetOf = (entry: ProofBundle['review']): Record<string, unknown> =>
  (entry?.transaction.asset['data'] ?? {}) as Record<string, unknown>

/** The stored rows about the reviews of a key. */
const rowsOf = async ({ publicKey }: Identity): Promise<readonly { readonly transactionId: string }[]> =>
  process.deps.database.query
    .selectFrom('logReviews')
    .selectAll()
    .where('publicKey', '=', publicKey)
    .orderBy('reviewId')
    .execute()

describe('an identity of a verified company', () => {
  for (const mode of modes)
    test(`is published with its review, so that the next certificate has a known issuer: ${mode}`, async () => {
      const owner = await newLiveOwner(server, `reviewed-${mode}`)
      const client = clientOf(owner)
      const company = owner.company.id
      const identity = await newIdentity(client, company, mode)
      await publishIdentity(client, { company, identity, mode })
      const { hash, text } = await notarizeSample(client, { company, identity, mode })
      const { review, identity: published } = await proofOf(hash.value, mode)
      const [stored] = await client.listReviews({ params: { id: company } })
      assert.deepEqual(assetOf(review), {
        type: 'review',
        did: identity.did,
        company: owner.company.name,
        vatId: owner.company.vatId,
        reviewedAt: stored?.createdAt,
        evidence: stored?.evidenceHash,
      })
      assert.ok((published?.index ?? Number.NaN) < (review?.index ?? Number.NaN))
      const answer = await server.client().verifyCertificate({
        query: { mode },
        document: new Blob([text], { type: 'application/json' }),
      })
      assert.equal(answer.answers?.issuer, 'yes')
      assert.equal(answer.verdict, mode === 'test' ? 'test' : 'genuine')
      assert.equal(answer.issuer?.reviewedAt, stored?.createdAt)
    })

  test('is not reviewed on the log if the company is not verified', async () => {
    const owner = await newOwner(server, 'unreviewed')
    const identity = await newIdentity(clientOf(owner), owner.company.id)
    await publishIdentity(clientOf(owner), { company: owner.company.id, identity })
    const { hash } = await notarizeSample(clientOf(owner), { company: owner.company.id, identity })
    const { review, identity: published } = await proofOf(hash.value, 'test')
    assert.equal(review, undefined)
    assert.equal(assetOf(published)['did'], identity.did)
    assert.deepEqual(await rowsOf(identity), [])
  })
})

describe('a review that verifies a company', () => {
  test('is recorded for the identities that were published before, and again after a rename', async () => {
    const owner = await newOwner(server, 'renamed')
    const client = clientOf(owner)
    const company = owner.company.id
    const identity = await newIdentity(client, company)
    await publishIdentity(client, { company, identity })
    const { hash, text } = await notarizeSample(client, { company, identity })
    const reviewedName = async (name: string, of = hash.value): Promise<ProofBundle['review']> =>
      eventually(
        async () => {
          const { review } = await proofOf(of, 'test')
          return assetOf(review)['company'] === name && review
        },
        { what: `the review of ${name} is on the log` },
      )
    await verifyCompany(server, operator, company)
    const first = await reviewedName(owner.company.name)
    const name = 'Rolling Mill & Daughters'
    await client.updateCompany({ params: { id: company }, body: { name } })
    await verifyCompany(server, operator, company)
    await eventually(async () => (await rowsOf(identity)).length === 2, { what: 'the second review' })
    const later = await notarizeSample(client, { company, identity })
    await reviewedName(name, later.hash.value)
    assert.equal((await reviewedName(owner.company.name))?.transaction.id, first?.transaction.id)
    const { issuer, company: shown } = await server.client().verifyCertificate({
      query: { mode: 'test' },
      document: new Blob([text], { type: 'application/json' }),
    })
    assert.equal(issuer?.name, owner.company.name, 'the name when it signed')
    assert.equal(issuer.currentName, name)
    assert.equal(shown?.name, owner.company.name)
  })

  test('stores evidence that has the hash on the log, even after the company is deleted', async () => {
    const owner = await newLiveOwner(server, 'leaving')
    const client = clientOf(owner)
    const company = owner.company.id
    const identity = await newIdentity(client, company)
    await publishIdentity(client, { company, identity })
    const { hash, text } = await notarizeSample(client, { company, identity })
    await client.deleteCompany({ params: { id: company } })
    const { review } = await proofOf(hash.value, 'test')
    const { rows } = await sql<{ evidence: string }>`
      select evidence from company_reviews where company_id = ${company}`.execute(process.deps.database.query)
    const stored = JSON.parse(rows[0]?.evidence ?? 'null') as JsonValue
    assert.equal(
      assetOf(review)['evidence'],
      createHash('sha256').update(canonicalJson(stored)).digest('hex'),
    )
    const {
      answers,
      issuer,
      identity: here,
    } = await server.client().verifyCertificate({
      query: { mode: 'test' },
      document: new Blob([text], { type: 'application/json' }),
    })
    assert.deepEqual([answers?.issuer, issuer?.name, here], ['yes', owner.company.name, undefined])
  })
})

test('the upkeep records the reviews that an active log lacks, once', async () => {
  const owner = await newOwner(server, 'upgraded')
  await verifyCompany(server, operator, owner.company.id)
  await enableMfa(server, owner.admin)
  const client = clientOf(owner)
  const company = owner.company.id
  const identity = await newIdentity(client, company)
  await publishIdentity(client, { company, identity })
  const [recorded] = await rowsOf(identity)
  await process.deps.database.query
    .deleteFrom('logReviews')
    .where('publicKey', '=', identity.publicKey)
    .execute()
  const { database, jobs } = process.deps
  await database.transaction((tx) => enqueueMissingReviews(jobs, tx, {}))
  const [again] = await eventually(
    async () => {
      const rows = await rowsOf(identity)
      return rows.length > 0 && rows
    },
    { what: 'the review is recorded again' },
  )
  assert.equal(again?.transactionId, recorded?.transactionId, 'the same transaction, so the log has it once')
})

test('a review that is dated after the present is not recorded before its time has come', async () => {
  const owner = await newOwner(server, 'ahead')
  await verifyCompany(server, operator, owner.company.id)
  await enableMfa(server, owner.admin)
  const { database, jobs } = process.deps
  const date = (offset: string) => sql`
    update company_reviews set created_at = now() + ${offset}::interval where company_id = ${owner.company.id}`
  await date('1 hour').execute(database.query)
  const identity = await newIdentity(clientOf(owner), owner.company.id)
  await publishIdentity(clientOf(owner), { company: owner.company.id, identity })
  assert.deepEqual(await rowsOf(identity), [])
  await date('20 seconds').execute(database.query)
  await database.transaction((tx) => enqueueMissingReviews(jobs, tx, {}))
  await eventually(async () => (await rowsOf(identity)).length === 1, { what: 'the review is recorded' })
})

test('a log that continues under a new name has the reviews of the earlier name, with their times', async () => {
  const owner = await newOwner(server, 'continued')
  await verifyCompany(server, operator, owner.company.id)
  const client = clientOf(owner)
  const company = owner.company.id
  const identity = await newIdentity(client, company)
  await publishIdentity(client, { company, identity })
  const { database, jobs } = process.deps
  const own = database.query.selectFrom('logReviews').selectAll().where('publicKey', '=', identity.publicKey)
  const earlier = await own.executeTakeFirstOrThrow()
  const name = 'A name before the present one'
  await database.query
    .updateTable('logReviews')
    .set({ log: 'earlier.example/ledger/test' })
    .where('publicKey', '=', identity.publicKey)
    .execute()
  await client.updateCompany({ params: { id: company }, body: { name } })
  await verifyCompany(server, operator, company)
  await database.transaction((tx) => enqueueMissingReviews(jobs, tx, {}))
  const adopted = await eventually(
    async () =>
      (await own.execute()).find(({ log, reviewId }) => log === earlier.log && reviewId === earlier.reviewId),
    { what: 'the earlier review is known to be on the present log' },
  )
  assert.deepEqual(adopted, earlier)
})
