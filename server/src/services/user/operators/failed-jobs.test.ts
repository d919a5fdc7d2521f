import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { eventually } from '../../../../test/eventually.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, outcomesOf } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let owner: Person
let operator: Person
let companyId: string
let identity: string
let database: Client
const as = (person: Person) => server.client(person.accessToken)
before(async () => {
  server = await startTestServer()
  owner = await signUp(server, 'owner')
  operator = await signUpOperator(server)
  companyId = (await foundCompany(server, owner)).id
  identity = (await newIdentity(as(owner), companyId)).id
  database = new Client({ connectionString: server.config.databaseUrl })
  await database.connect()
})
after(async () => {
  await database.end()
  await server[Symbol.asyncDispose]()
})

/** As if it had been notarized, and then the last attempt had failed: running it again finds the entry. */
const failedNotarization = async (): Promise<string> => {
  const client = as(owner)
  const { jobId = '' } = await client.notarizeCertificate({
    company: companyId,
    query: { mode: 'test', identity },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })
  const state = async () =>
    (await client.readCertificate({ company: companyId, params: { id: jobId } })).state === 'notarized'
  await eventually(state)
  const failed = `update certificates set state = 'failed', error = 'smtp://u:secret@host', attempts = 15 where id = $1`
  await database.query(failed, [jobId])
  return jobId
}

test('an operator sees failed notarizations and runs one again, once', async () => {
  const id = await failedNotarization()
  let total: string | null = null
  const listed = await as(operator).listFailedJobs({
    query: { kind: 'notarization' },
    onHeaders: (headers) => (total = headers.get('x-total-count')),
  })
  assert.equal(total, String(listed.length))
  const job = listed.find((one) => one.id === id)
  assert.deepEqual(
    [job?.attempts, job?.error, job?.data],
    [15, 'smtp://[hidden]@host', { certificateId: id, companyId, mode: 'test' }],
  )
  assert.deepEqual(await as(operator).readFailedJob({ params: { id } }), job)
  const run = () => as(operator).runJobAgain({ params: { id } })
  assert.deepEqual(await outcomesOf([run(), run(), run()]), { not_found: 2, ok: 1 })
  await eventually(async () => {
    const { state } = await as(owner).readCertificate({ company: companyId, params: { id } })
    return state === 'notarized'
  })
  const { rows } = await database.query<{ actor: string }>(
    `select actor from audit_log where action = 'jobs.run_again' and subject = $1`,
    [`job:${id}`],
  )
  assert.deepEqual(rows, [{ actor: `user:${operator.id}` }])
})

test('a certificate that was submitted again since is not notarized twice', async () => {
  const id = await failedNotarization()
  const copy = `insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, hash, body, summary,
      retained_until, created_at, updated_at, next_attempt_at, family)
    select $2, company_id, identity_id, mode, 'accepted', ref_schema_url, hash, body, summary,
      retained_until, created_at, updated_at, now() + interval '1 hour', family from certificates where id = $1`
  await database.query(copy, [id, '0198c0de-0000-7000-8000-000000000001'])
  await assertRefused(as(operator).runJobAgain({ params: { id } }), 'job_not_repeatable')
})

test('only operators of the service see failed jobs', async () => {
  const id = '0198c0de-0000-7000-8000-000000000002'
  await assertRefused(as(owner).listFailedJobs(), 'role_missing')
  await assertRefused(as(owner).readFailedJob({ params: { id } }), 'role_missing')
  await assertRefused(as(owner).runJobAgain({ params: { id } }), 'role_missing')
  await assertRefused(as(operator).readFailedJob({ params: { id } }), 'not_found')
  await assertRefused(as(operator).runJobAgain({ params: { id } }), 'not_found')
  await assertRefused(as(operator).listFailedJobs({ query: { after: id } }), 'validation_failed')
})
