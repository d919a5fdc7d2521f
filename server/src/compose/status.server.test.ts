import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InstallationStatus } from '@millseal/contract'
import { Client } from 'pg'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../test/people.ts'
import { assertRefused } from '../../test/refusal.ts'
import { newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

const read = (server: TestServer, operator: Person): Promise<InstallationStatus> =>
  server.client(operator.accessToken).readStatus()

/** Waits, because a busy machine may leave out a part. */
const readUntil = (
  server: TestServer,
  operator: Person,
  isWanted: (status: InstallationStatus) => boolean,
): Promise<InstallationStatus> =>
  eventually(async () => {
    const status = await read(server, operator)
    return isWanted(status) && status
  })

const write = async (server: TestServer, statement: string, values: readonly unknown[]): Promise<void> => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    await client.query(statement, [...values])
  } finally {
    await client.end()
  }
}

describe('the status of the installation', () => {
  test('says of every part what it does, for operators only', async () => {
    await using server = await startOwnServer()
    const operator = await signUpOperator(server)
    const person = await signUp(server, 'owner')
    await assertRefused(read(server, person), 'role_missing')
    const { id: company } = await foundCompany(server, person)
    const client = server.client(person.accessToken)
    const identity = await newIdentity(client, company)
    await client.notarizeCertificate({
      company,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
    })
    const hasEntries = ({ logs }: InstallationStatus) => (logs[0]?.entries ?? 0) > 0
    const status = await readUntil(server, operator, (one) => one.state === 'ok' && hasEntries(one))
    assert.match(status.version, /^\d+\.\d+\.\d+/)
    assert.equal(status.publicUrl, server.url)
    assert.match(status.database.version ?? '', /^\d/)
    assert.deepEqual(
      status.logs.map(({ mode, state }) => [mode, state]),
      [
        ['test', 'ok'],
        ['live', 'ok'],
      ],
    )
    assert.ok(Date.parse(status.logs[0]?.checkpointAt ?? '') > 0)
    assert.deepEqual([status.mails.transport, status.mails.failed], ['folder', 0])
    assert.deepEqual([status.webhooks.failing, status.webhooks.newest], [0, undefined])
    assert.match(status.vatRegister.says, /MILLSEAL_VIES is off/)
    assert.equal(status.vatRegister.lookedUp, false)
  })

  test('counts failed notarizations, refused mails and failing webhooks, and names the newest webhook', async () => {
    await using server = await startOwnServer()
    const operator = await signUpOperator(server)
    const person = await signUp(server, 'owner')
    const { id: company } = await foundCompany(server, person)
    const client = server.client(person.accessToken)
    const identity = await newIdentity(client, company)
    const { jobId = '' } = await client.notarizeCertificate({
      company,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
    })
    await eventually(
      async () => (await client.readCertificate({ company, params: { id: jobId } })).state === 'notarized',
    )
    await write(server, `update certificates set state = 'failed' where id = $1`, [jobId])
    const scopes = [{ resource: 'companies', actions: ['update_one'] }]
    const hook = await client.createHook({
      company,
      body: { connectionUrl: 'https://receiver.invalid/hook', mode: 'test', scopes },
    })
    const since = new Date(server.clock.now())
    await write(server, 'update hooks set failing_since = $2 where id = $1', [hook.id, since])
    await write(
      server,
      `insert into company_mails (id, company_id, mode, kind, about, address, refusal, created_at)
        values ($1, $2, 'test', 'certificate', 'x', 'a@b.example', 'no such user', $3)`,
      ['0198c0de-0000-7000-8000-000000000000', company, since],
    )
    const status = await readUntil(server, operator, ({ jobs, mails, webhooks }) =>
      [jobs.failed, mails.failed, webhooks.failing].every((count) => count === 1),
    )
    assert.deepEqual(
      [status.state, status.jobs.state, status.mails.state, status.webhooks.state],
      ['degraded', 'degraded', 'degraded', 'degraded'],
    )
    assert.deepEqual(status.webhooks.newest, {
      id: hook.id,
      company,
      host: 'receiver.invalid',
      since: since.toISOString(),
    })
  })

  test('does not call a queue healthy in which due jobs wait because no process runs them', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_ROLES: 'api' } })
    const operator = await signUpOperator(server)
    const email = 'nobody-mails@example.com'
    await server
      .client()
      .registerUser({ body: { username: 'waits', email, password: 'correct horse battery' } })
    const { jobs: early } = await readUntil(server, operator, ({ jobs }) => (jobs.waiting ?? 0) > 0)
    assert.equal(early.state, 'ok')
    await write(server, `update pgboss.job set start_after = now() - interval '11 minutes'`, [])
    const { jobs } = await readUntil(server, operator, (status) => (status.jobs.overdueSeconds ?? 0) > 600)
    assert.equal(jobs.state, 'degraded')
    assert.match(jobs.says, /due for 11 minutes/)
  })

  test('answers although the mail server and the VAT register do not, and shows no password', async () => {
    const environment = { SMTP_URL: 'smtp://user:secret@127.0.0.1:1', MILLSEAL_VIES: 'http://127.0.0.1:1' }
    await using server = await startOwnServer({ environment })
    const operator = await signUpOperator(server)
    const { vatRegister: unasked } = await read(server, operator)
    assert.deepEqual([unasked.lookedUp, unasked.askedAt], [true, undefined])
    assert.match(unasked.says, /not asked yet/)
    await server.client(operator.accessToken).validateVatId({ query: { vatId: 'ATU74488404' } })
    const { mails, vatRegister, database } = await readUntil(
      server,
      operator,
      (status) => status.mails.state === 'down' && status.database.state === 'ok',
    )
    assert.match(mails.says, /No mail can be sent/)
    assert.doesNotMatch(mails.says, /secret/)
    assert.equal(mails.transport, 'smtp')
    assert.equal(database.state, 'ok')
    assert.deepEqual([vatRegister.state, vatRegister.askedAt !== undefined], ['degraded', true])
  })
})
