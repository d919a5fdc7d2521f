import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { createLocalKeystore } from '../../../adapters/keystore/local.ts'
import { openPostgres } from '../../../adapters/database/postgres.ts'
import { Secret } from '../../../lib/secret.ts'
import { createAudit } from '../../../adapters/audit/audit-table.ts'
import type { Database } from '../../../ports/database/database.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, tokenOf } from '../../../../test/machines.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { rotateSigningKey, signingKeyAgeMs } from './rotate-signing-key.ts'
import { createSigningKeys } from './signing-keys.ts'

const masterKey = randomBytes(32)
const keystore = createLocalKeystore(new Secret(masterKey))

describe('the signing keys of several processes', () => {
  let database: Database
  const clock = movableClock()
  const deps = () => ({ database, keystore, clock, audit: createAudit({ clock }) })
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database[Symbol.asyncDispose]())

  test('begin as one key if several processes start at once', async () => {
    const starting = await Promise.all(Array.from({ length: 5 }, () => createSigningKeys(deps()).signing()))
    assert.equal(new Set(starting.map(({ id }) => id)).size, 1)
  })

  test('begin with a rotation if there are none', async () => {
    await using empty = await openTestDatabase()
    const { created } = await rotateSigningKey({ ...deps(), database: empty }, { actor: 'command' })
    assert.equal((await createSigningKeys({ ...deps(), database: empty }).signing()).id, created)
  })

  test('are known to all processes 5 seconds after a rotation, and used a minute after it', async () => {
    const [one, other] = [createSigningKeys(deps()), createSigningKeys(deps())]
    const { id: old } = await one.signing()
    await other.signing()
    const { created = '' } = await rotateSigningKey(deps(), { actor: 'command' })
    assert.equal(await other.verification(created), undefined)
    clock.advance({ seconds: 5 })
    assert.ok(await other.verification(created))
    assert.equal((await one.published()).keys.length, 2)
    assert.equal((await one.signing()).id, old)
    clock.advance({ seconds: 55 })
    assert.equal((await one.signing()).id, created)
    assert.equal((await other.signing()).id, created)
    assert.equal((await other.signing(old)).id, old)
  })

  test('can be found by id as soon as another process has created them', async () => {
    const reader = createSigningKeys(deps())
    await reader.signing()
    const { created } = await rotateSigningKey(deps(), { actor: 'command' })
    assert.equal((await reader.signing(created)).id, created)
  })

  test('are rotated once by the schedule when the newest is 90 days old', async () => {
    const rotate = () => rotateSigningKey(deps(), { actor: 'schedule', olderThanMs: signingKeyAgeMs })
    clock.advance({ days: 89 })
    assert.equal((await rotate()).created, undefined)
    clock.advance({ days: 1, seconds: 1 })
    const both = await Promise.all([rotate(), rotate()])
    assert.equal(both.filter(({ created }) => created !== undefined).length, 1)
  })

  test('are in the audit log when they are rotated, and only then', async () => {
    const entries = () =>
      database.query
        .selectFrom('auditLog')
        .select(['actor', 'subject', 'details'])
        .where('action', '=', 'signing_keys.rotate')
        .orderBy('id')
        .execute()
    const { created, retired } = await rotateSigningKey(deps(), { actor: 'command' })
    const known = await entries()
    assert.deepEqual(known.at(-1), {
      actor: 'command',
      subject: `signing_key:${created}`,
      details: JSON.stringify({ created: true, retired }),
    })
    await rotateSigningKey(deps(), { actor: 'schedule', olderThanMs: signingKeyAgeMs })
    assert.deepEqual(await entries(), known)
  })

  test('are not rotated with another master key, because that would stop all signing', async () => {
    const stranger = createLocalKeystore(new Secret(randomBytes(32)))
    const { keys } = await createSigningKeys(deps()).published()
    await assert.rejects(
      rotateSigningKey({ ...deps(), keystore: stranger }, { actor: 'command' }),
      /This master key is not the one the server uses: set MILLSEAL_MASTER_KEY/,
    )
    assert.deepEqual((await createSigningKeys(deps()).published()).keys, keys)
  })
})

describe('the key set of the server', () => {
  let server: TestServer
  let database: Database
  before(async () => {
    server = await startOwnServer({ environment: { MILLSEAL_MASTER_KEY: masterKey.toString('base64') } })
    const connection = server.config.databaseUrl ?? ''
    database = openPostgres({ connection, applicationName: 'test', maxConnections: 2, log: silentLog })
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const keySet = async (path = '/.well-known/jwks.json') => {
    const response = await fetch(`${server.url}${path}`)
    return { response, set: (await response.json()) as JSONWebKeySet }
  }
  const rotate = () => {
    const { clock } = server
    const deps = { database, keystore, clock, audit: createAudit({ clock }) }
    return rotateSigningKey(deps, { actor: 'command' })
  }

  test('is public, cacheable for a minute, contains nothing private, and verifies the tokens of the server', async () => {
    const token = await tokenOf(server, await newApplication(server, await newOwner(server, 'key-reader')))
    for (const path of ['/.well-known/jwks.json', '/api/.well-known/jwks.json']) {
      const { response, set } = await keySet(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=60')
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.deepEqual(Object.keys(set.keys[0] ?? {}), ['kty', 'crv', 'x', 'kid', 'alg', 'use'])
      const { payload } = await jwtVerify(token, createLocalJWKSet(set), {
        issuer: server.url,
        audience: 'millseal',
        typ: 'at+jwt',
        algorithms: ['EdDSA'],
      })
      assert.equal(payload['mode'], 'test')
    }
  })

  test('keeps an old key until the last token it signed has expired, long-lived tokens included', async () => {
    const owner = await newOwner(server, 'key-keeper')
    const application = await newApplication(server, owner)
    const token = await tokenOf(server, application)
    const { id, jwt } = await server.client(owner.admin.accessToken).createAccessToken({
      company: owner.company.id,
      query: { mode: 'test' },
      body: { scopes: {}, expiresIn: 10 * 86_400 },
    })
    const read = (by: string) => server.client(by).readCompany({ params: { id: owner.company.id } })
    const [old] = (await keySet()).set.keys

    assert.deepEqual((await rotate()).retired, [])
    server.clock.advance({ minutes: 23 * 60 })
    assert.equal(await tokenOf(server, application), token)
    assert.ok(await read(token))
    assert.deepEqual((await rotate()).retired, [])
    server.clock.advance({ days: 8 })
    const { retired } = await rotate()
    assert.equal(retired.length, 0)
    assert.ok(await read(jwt))
    server.clock.advance({ days: 2 })
    await assertRefused(read(jwt), 'token_expired')
    assert.ok((await rotate()).retired.includes(old?.kid ?? ''))
    server.clock.advance({ seconds: 5 })
    assert.ok(!(await keySet()).set.keys.some(({ kid }) => kid === old?.kid))
    assert.ok(id !== '')
    assert.ok(await read(await tokenOf(server, application)))
  })

  test('makes a token invalid that was accepted before as soon as its key is deleted', async () => {
    const owner = await newOwner(server, 'key-loser')
    const read = () =>
      server.client(owner.admin.accessToken).readCompany({ params: { id: owner.company.id } })
    assert.ok(await read())
    await database.query.deleteFrom('signingKeys').execute()
    server.clock.advance({ seconds: 5 })
    await assertRefused(read(), 'token_invalid')
  })
})
