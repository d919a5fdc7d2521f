import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { mailsAbout } from '../../test/mails-about.ts'
import { newOwner } from '../../test/machines.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { signUp, signUpOperator, verifyCompany } from '../../test/people.ts'
import { newIdentity } from '../../test/signers.ts'

const count = 24
/** To the issuer, the caller and the receiver. */
const mailsEach = 3
/** Longer than the lease of 30 s, and than the minute after which the database ends an idle transaction. */

describe('a worker that is suspended by SIGSTOP until others have its jobs', () => {
  test('adds no entry, no event and no mail when it continues', async () => {
    // Serves requests and writes the ledger; the two others run all jobs.
    await using server = await startOwnServer({ environment: { MILLSEAL_ROLES: 'api' } })
    await using database = await connectedTo(server)
    await using stopped = await startWorker(server)
    await notarizeAll(server)
    await eventually(async () => (await database.count(running)) > 0, { everyMs: 1 })
    stopped.child.kill('SIGSTOP')
    assert.ok((await database.count(running)) > 0, 'it was suspended during notarizations')
    await using _other = await startWorker(server)
    await eventually(async () => (await database.count(notarized)) === count, { everyMs: 200 })
    await eventually(async () => (await mailsOf(server)).size === count * mailsEach, {
      everyMs: 200,
    })
    stopped.child.kill('SIGCONT')
    // It finishes its work before it exits.
    stopped.child.kill('SIGTERM')
    await once(stopped.child, 'exit')
    assert.equal(await database.count(notarized), count)
    assert.equal(
      await database.count(
        'select distinct transaction_id from certificates where transaction_id is not null',
      ),
      count,
    )
    assert.equal(await database.count("select from outbox where action = 'notarize_one'"), count)
    assert.equal(await database.count('select from ledger_entries where json_hash is not null'), count)
    const mails = await mailsOf(server)
    assert.deepEqual(
      [mails.size, [...mails.values()].filter((copies) => copies.length > 1)],
      [count * mailsEach, []],
    )
  })
})

const running = "select from certificates where state = 'running'"
const notarized = "select from certificates where state = 'notarized'"

const startWorker = ({ config, url }: TestServer): Promise<ServerProcess> =>
  startServer({
    DATABASE_URL: config.databaseUrl ?? '',
    MILLSEAL_DATA_DIR: config.dataDir,
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_VIES: 'off',
    // Mailed links point to the server that answers.
    MILLSEAL_PUBLIC_URL: url,
    MILLSEAL_ROLES: 'worker',
  })

const notarizeAll = async (server: TestServer): Promise<void> => {
  // The sender and the receiver in the certificate: in test mode only members get mails.
  const members = [await signUp(server, 'mill'), await signUp(server, 'receiver')]
  const { admin, company } = await newOwner(server, 'patient-mill')
  const client = server.client(admin.accessToken)
  for (const { email } of members)
    await client.addMember({ params: { id: company.id }, body: { email, role: 'operator' } })
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), company.id)
  const { id: identity } = await newIdentity(client, company.id)
  const query = { mode: 'test', identity } as const
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      client.notarizeCertificate({
        company: company.id,
        query,
        document: new Blob([JSON.stringify(sampleCertificate({ number: `STOP-${at}-` }))], {
          type: 'application/json',
        }),
      }),
    ),
  )
}

const connectedTo = async (server: TestServer) => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  return {
    count: async (statement: string): Promise<number> => (await client.query(statement)).rowCount ?? 0,
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** The number of copies of the mail about a certificate to one address. */
const mailsOf = ({ config }: TestServer) => mailsAbout([config.dataDir], /(STOP-\d+)-/)
