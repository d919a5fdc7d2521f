import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { signUp, signUpOperator, verifyCompany } from '../../test/people.ts'
import { addressOf, startTestServer } from '../../test/test-server.ts'
import { mailsAbout } from '../../test/mails-about.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { freePort, startServer } from '../../test/server-process.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

/** 1,000 are notarized with MILLSEAL_TEST_NOTARIZATIONS=1000. */
const count = Number(process.env['MILLSEAL_TEST_NOTARIZATIONS'] ?? 60)
const kills = Math.max(4, Math.round(count / 40))

describe('notarizations and kill -9', () => {
  test(`of ${count} accepted ones each ends in one entry, one event and its mails, although the server is killed ${kills} times`, async () => {
    await using database = await openTestDatabase()
    await using folder = await makeTemporaryFolder()
    const port = String(await freePort())
    const url = `http://localhost:${port}`
    const environment = {
      MILLSEAL_PORT: port,
      DATABASE_URL: addressOf(database),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_PUBLIC_URL: url,
      MILLSEAL_VIES: 'off',
    }
    const { token, company, identity } = await furnish(environment)
    let server = await startServer(environment)
    const accepted = new Map<string, string>()
    const send = async (number: string): Promise<void> => {
      const certificate = JSON.stringify(sampleCertificate({ number }))
      const answer = await eventually(() => post(url, { token, company, identity, certificate }), {
        what: `the answer to ${number}`,
        everyMs: 100,
      })
      accepted.set(number, answer)
    }
    const numbers = Array.from({ length: count }, (_, index) => `KILL-${index}`)
    const sending = inLanes(8, numbers, send)
    try {
      for (let kill = 1; kill <= kills; kill += 1) {
        await eventually(() => accepted.size >= (count * kill) / (kills + 1))
        server.child.kill('SIGKILL')
        await once(server.child, 'exit')
        // As a service manager does: a busy machine may give it no connection to the database in time.
        server = await onceItWorks(() => startServer(environment))
      }
      await sending
      await using client = await connected(environment.DATABASE_URL)
      const open = async () => rows(client, "select id from certificates where state <> 'notarized'")
      await eventually(async () => (await open()).length === 0, { everyMs: 100 })
      await assertOnce(client, count)
      await eventually(async () => (await mailsAbout([folder.path], /(KILL-\d+)/)).size >= count * 2, {
        everyMs: 100,
      })
    } finally {
      await server[Symbol.asyncDispose]()
    }
  })
})

/** The accounts, created by a server that has stopped before the first kill. */
const furnish = async (environment: Readonly<Record<string, string>>) => {
  await using server = await startTestServer({ databaseUrl: environment['DATABASE_URL'] ?? '', environment })
  // The sender in the certificate: in test mode only members get mails.
  const { email } = await signUp(server, 'mill')
  const owner = await newOwner(server, 'unlucky-mill')
  await server
    .client(owner.admin.accessToken)
    .addMember({ params: { id: owner.company.id }, body: { email, role: 'operator' } })
  // People whom an admin added get mails of verified companies only.
  await verifyCompany(server, await signUpOperator(server), owner.company.id)
  const token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  const client = createClient({ baseUrl: server.url, accessToken: token })
  const identity = await newIdentity(client, owner.company.id)
  return { token, company: owner.company.id, identity: identity.id }
}

type Posted = { token: string; company: string; identity: string; certificate: string }

/** The hash of the accepted certificate; undefined while the server is down. */
const post = async (
  url: string,
  { token, company, identity, certificate }: Posted,
): Promise<string | undefined> => {
  const response = await fetch(`${url}/api/certificates/notarize?mode=test&identity=${identity}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, company, 'content-type': 'application/json' },
    body: certificate,
  }).catch(() => undefined)
  if (response === undefined || response.status >= 500) return undefined
  const text = await response.text().catch(() => '')
  if (text === '') return undefined
  assert.equal(response.status, 201, text)
  return (JSON.parse(text) as { hash: { value: string } }).hash.value
}

const assertOnce = async (client: Client, expected: number): Promise<void> => {
  const certificates = await rows(client, 'select hash, transaction_id from certificates')
  assert.equal(certificates.length, expected)
  assert.equal(new Set(certificates.map(({ transaction_id: id }) => id)).size, expected)
  const told = await rows(client, "select payload from outbox where action = 'notarize_one'")
  assert.equal(told.length, expected)
  const recorded = await rows(
    client,
    "select 1 from ledger_entries where mode = 'test' and json_hash is not null",
  )
  assert.equal(recorded.length, expected)
}

const rows = async (client: Client, statement: string): Promise<Record<string, unknown>[]> =>
  (await client.query<Record<string, unknown>>(statement)).rows

const connected = async (connectionString: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const inLanes = async (lanes: number, items: readonly string[], work: (item: string) => Promise<void>) => {
  const waiting = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
