import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { HookWithSecret, Notarization } from '@millseal/contract'
import { sql } from 'kysely'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'
import type { Database } from '../ports/database/database.ts'

let database: Database
let server: TestServer
let owner: Owner
before(async () => {
  database = await openTestDatabase({ maxConnections: 2 })
  server = await startOwnServer({ databaseUrl: addressOf(database) })
  owner = await newOwner(server, 'repeating-mill')
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const person = (username: string) => ({
  username,
  email: `${username}@example.com`,
  password: 'correct horse battery',
})
const register = (body: object, key: string) =>
  fetch(`${server.url}/api/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
const createHook = async (key: string, accessToken = owner.admin.accessToken) => {
  const response = await fetch(`${server.url}/api/hooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      authorization: `Bearer ${accessToken}`,
      company: owner.company.id,
    },
    body: JSON.stringify({
      connectionUrl: 'https://receiver.invalid/hook',
      mode: 'test',
      scopes: [{ resource: 'companies', actions: ['update_one'] }],
    }),
  })
  return { status: response.status, body: (await response.json()) as HookWithSecret }
}
const countUsers = async (username: string): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from users where username = ${username}`.execute(database.query)
  return rows[0]?.count ?? 0
}

describe('the same Idempotency-Key', () => {
  test('sent 50 times in parallel has one effect and one answer', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => register(person('parallel'), 'key-parallel-0001')),
    )
    const bodies = await Promise.all(responses.map((response) => response.text()))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201])
    assert.equal(new Set(bodies).size, 1)
    assert.equal(await countUsers('parallel'), 1)
    assert.equal((await server.mailsTo('parallel@example.com', 1)).length, 1)
  })

  test('sent 20 times in parallel has one effect where nothing else prevents a second one', async () => {
    const hooks = await Promise.all(Array.from({ length: 20 }, () => createHook('key-parallel-hooks-1')))
    const created = hooks.map(({ body }) => body.id)
    for (const { status } of hooks) assert.equal(status, 201)
    assert.equal(new Set(created).size, 1)
    const listed = await server.client(owner.admin.accessToken).listHooks({ company: owner.company.id })
    assert.deepEqual(
      listed.map(({ id }) => id),
      [...new Set(created)],
    )
  })

  test('sent 200 times in parallel to notarize has one answer, and keeps it once the certificate is recorded', async () => {
    const { accessToken } = await owner.signInAgain()
    const client = server.client(accessToken)
    const { id: identity } = await newIdentity(client, owner.company.id)
    const notarize = async () => {
      const response = await fetch(`${server.url}/api/certificates/notarize?mode=test&identity=${identity}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'key-parallel-notarize',
          authorization: `Bearer ${accessToken}`,
          company: owner.company.id,
        },
        body,
      })
      return `${response.status} ${await response.text()}`
    }
    const body = JSON.stringify(sampleCertificate())
    const answers = new Set(await Promise.all(Array.from({ length: 200 }, notarize)))
    const [first = '', ...others] = answers
    assert.deepEqual(others, [])
    const { jobId } = JSON.parse(first.slice(4)) as Notarization
    await endedNotarization(client, { company: owner.company.id, jobId })
    assert.equal(await notarize(), first)
  })

  test('with the same body gets the same answer, marked as replayed, in any order of properties', async () => {
    const first = await register(person('replayed'), 'key-replayed-0001')
    const { password, email, username } = person('replayed')
    const again = await register({ password, email, username }, 'key-replayed-0001')
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(await again.json(), await first.json())
  })

  test('with another body is 422 and has no effect', async () => {
    await register(person('mismatch'), 'key-mismatch-0001')
    const other = await register(person('mismatch-two'), 'key-mismatch-0001')
    assert.equal(other.status, 422)
    assert.equal(await countUsers('mismatch-two'), 0)
  })

  test('may be used again after an error', async () => {
    await register(person('taken-name'), 'key-taken-0001-aa')
    const refused = await register(
      { ...person('taken-name'), email: 'another@example.com' },
      'key-retry-0001-aaa',
    )
    assert.equal(refused.status, 409)
    const corrected = await register({ ...person('free-name') }, 'key-retry-0001-aaa')
    assert.equal(corrected.status, 201)
  })

  test('expires after a day', async () => {
    await register(person('yesterday'), 'key-expiring-0001')
    server.clock.advance({ days: 1, seconds: 1 })
    assert.equal((await register(person('today'), 'key-expiring-0001')).status, 201)
  })

  test('is not stored in plain text, and neither are secrets shown once', async () => {
    await register(person('secretive'), 'key-in-clear-canary')
    const { accessToken } = await owner.signInAgain()
    const { body: hook } = await createHook('key-of-a-hook-canary', accessToken)
    assert.ok(hook.secret.length > 20)
    const { rows } = await sql<{
      line: string
    }>`select t::text || coalesce(convert_from(answer, 'UTF8'), '') as line from idempotency t`.execute(
      database.query,
    )
    assert.ok(rows.some(({ line }) => line.includes(hook.id)))
    for (const { line } of rows)
      for (const secret of ['canary', 'correct horse', hook.secret]) assert.ok(!line.includes(secret), line)
  })

  test('must have 16 to 255 printable characters', async () => {
    for (const key of ['short', 'x'.repeat(256), 'with a space in it!']) {
      const response = await register(person('unused'), key)
      assert.equal(response.status, 400)
      assert.match(await response.text(), /header Idempotency-Key must be 16 to 255/)
    }
  })
})
