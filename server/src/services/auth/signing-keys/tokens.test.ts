import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { ApplicationWithSecret } from '@millseal/contract'
import { createLocalKeystore } from '../../../adapters/keystore/local.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { duringChange } from '../../../../test/concurrent-change.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { claimsOf, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { createSigningKeys } from './signing-keys.ts'
import { hashClientSecret, newClientSecret } from '../applications/client-credentials.ts'
import { createTokens } from './tokens.ts'

let server: TestServer
let owner: Owner
let application: ApplicationWithSecret
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'connector')
  application = await newApplication(server, owner, { scopes: { companies: { actions: ['read_many'] } } })
})
after(() => server[Symbol.asyncDispose]())

const lists = (token: string) => server.client(token).listCompanies()
const lifetime = { days: 1 }

describe('the access token of an application', () => {
  test('is issued for client id and secret, and names its application and company: 201', async () => {
    const { clientId, clientSecret } = application
    const answer = await server.client().createToken({ body: { clientId, clientSecret } })
    assert.equal(answer.application.mode, 'test')
    assert.equal(answer.application.owner.id, owner.company.id)
    assert.ok(!JSON.stringify(answer).includes(clientSecret))
    const { iat, exp, jti, iss, ...claims } = claimsOf(answer.accessToken)
    assert.deepEqual(claims, {
      aud: 'millseal',
      client_id: clientId,
      company: { id: owner.company.id, vatId: owner.company.vatId },
      company_id: owner.company.id,
      kind: 'application',
      mode: 'test',
      scopes: { companies: { actions: ['read_many'] } },
      sub: application.id,
    })
    assert.equal(Number(exp) - Number(iat), 86_400)
    assert.equal(iss, server.url)
    assert.ok(typeof jti === 'string')
  })

  test('is the same for all callers, even if several ask at once for the first one', async () => {
    const fresh = await newApplication(server, owner)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf(server, fresh)))
    assert.equal(new Set(tokens).size, 1)
    server.clock.advance({ minutes: 23 * 60 })
    assert.equal(await tokenOf(server, fresh), tokens[0])
    await signOwnerInAgain()
    await server
      .client(owner.admin.accessToken)
      .deleteApplication({ params: { id: fresh.id }, company: owner.company.id })
  })

  test('is followed by the next one in its last ten minutes, and stays valid until it expires: 401', async () => {
    using _still = server.clock.freeze()
    const first = await tokenOf(server, application)
    const until = Number(claimsOf(first)['exp']) * 1_000
    server.clock.advance({ seconds: (until - server.clock.now()) / 1_000 - 605 })
    assert.equal(await tokenOf(server, application), first)
    server.clock.advance({ seconds: 10 })
    const next = await Promise.all(Array.from({ length: 10 }, () => tokenOf(server, application)))
    assert.equal(new Set(next).size, 1)
    assert.notEqual(next[0], first)
    assert.equal((await lists(first)).length, 1)
    assert.equal((await lists(next[0] ?? '')).length, 1)
    server.clock.advance({ minutes: 11 })
    await assertRefused(lists(first), 'token_expired')
    assert.equal((await lists(next[0] ?? '')).length, 1)
    server.clock.advance(lifetime)
    await assertRefused(lists(next[0] ?? ''), 'token_expired')
    assert.equal((await lists(await tokenOf(server, application))).length, 1)
    await signOwnerInAgain()
  })

  test('becomes invalid when the secret is rotated, and the new secret gets a new one at once', async () => {
    const before_ = await tokenOf(server, application)
    assert.equal((await lists(before_)).length, 1)
    const rotated = await server
      .client(owner.admin.accessToken)
      .rotateApplicationSecret({ params: { id: application.id }, company: owner.company.id, body: {} })
    assert.equal(rotated.clientId, application.clientId)
    assert.notEqual(rotated.clientSecret, application.clientSecret)
    await assertRefused(lists(before_), 'token_invalid')
    await assertRefused(tokenOf(server, application), 'credentials_wrong')
    application = rotated
    assert.equal((await lists(await tokenOf(server, application))).length, 1)
  })

  test('is not issued for a secret that is rotated while the call waits: 401', async () => {
    const fresh = await newApplication(server, owner)
    const rotate = { secretHash: hashClientSecret(newClientSecret()) }
    const call = duringChange(
      server,
      {
        change: (tx) => tx.updateTable('applications').set(rotate).where('id', '=', fresh.id).execute(),
        lock: 'update',
      },
      () => tokenOf(server, fresh),
    )
    await assertRefused(call, 'credentials_wrong')
  })

  test('has the current scopes of its application: 403, 200', async () => {
    const one = { params: { id: application.id }, company: owner.company.id }
    const token = await tokenOf(server, application)
    const client = server.client(owner.admin.accessToken)
    await client.updateApplication({ ...one, body: { scopes: { companies: { actions: ['validate_one'] } } } })
    const { status, answer } = await refusal(lists(token))
    assert.equal(status, 403)
    assert.match(answer?.message ?? '', /companies:read_many/)
    await client.updateApplication({ ...one, body: { scopes: { companies: { actions: ['*'] } } } })
    assert.equal((await lists(token)).length, 1)
    assert.equal(claimsOf(token)['jti'], claimsOf(await tokenOf(server, application))['jti'])
  })

  test('becomes invalid when its application is deleted', async () => {
    const fresh = await newApplication(server, owner)
    const token = await tokenOf(server, fresh)
    const read = () => server.client(token).readCompany({ params: { id: owner.company.id } })
    assert.equal((await read()).id, owner.company.id)
    await server
      .client(owner.admin.accessToken)
      .deleteApplication({ params: { id: fresh.id }, company: owner.company.id })
    await assertRefused(read(), 'token_invalid')
    await assertRefused(tokenOf(server, fresh), 'credentials_wrong')
  })

  test('becomes invalid when its company is deleted', async () => {
    const closing = await newOwner(server, 'closing-down')
    const fresh = await newApplication(server, closing)
    const token = await tokenOf(server, fresh)
    const read = () => server.client(token).readCompany({ params: { id: closing.company.id } })
    assert.equal((await read()).id, closing.company.id)
    await server.client(closing.admin.accessToken).deleteCompany({ params: { id: closing.company.id } })
    await assertRefused(read(), 'token_invalid')
    await assertRefused(tokenOf(server, fresh), 'credentials_wrong')
  })

  test('gives access to its own company only, even if a header or path names another: 403, 404', async () => {
    const other = await newOwner(server, 'competitor')
    const machine = server.client(await tokenOf(server, application))
    await assertRefused(machine.readCompany({ params: { id: other.company.id } }), 'not_found')
    const listed = await machine.listCompanies({ company: other.company.id })
    assert.deepEqual(
      listed.map(({ id }) => id),
      [owner.company.id],
    )
  })

  test('is refused with the same answer in the same time for an unknown client and a wrong secret: 401', async (t) => {
    const wrong = { clientId: application.clientId, clientSecret: 'mss_wrong' }
    const unknown = { clientId: 'x'.repeat(32), clientSecret: application.clientSecret }
    const ask = (body: typeof wrong) => refusal(server.client().createToken({ body }))
    const [one, other] = [await ask(wrong), await ask(unknown)]
    assert.equal(one.status, 401)
    assert.deepEqual({ ...one.answer, timestamp: '' }, { ...other.answer, timestamp: '' })
    const times = { wrong: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 60; round += 1) {
      for (const [name, body] of Object.entries({ wrong, unknown })) {
        const startedMs = performance.now()
        await ask(body)
        times[name as keyof typeof times].push(performance.now() - startedMs)
      }
    }
    const [median, medianUnknown] = [medianOf(times.wrong), medianOf(times.unknown)]
    t.diagnostic(`wrong secret ${median.toFixed(2)} ms, unknown client ${medianUnknown.toFixed(2)} ms`)
    assert.ok(Math.abs(median - medianUnknown) < 0.5 * Math.max(median, medianUnknown))
  })

  test('is refused for an invalid body: 400, 415', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${server.url}/api/tokens`, { method: 'POST', body, headers: { 'content-type': type } })
    const cases: readonly [body: string, type: string, status: number][] = [
      ['{}', 'application/json', 400],
      ['{"clientId":"a","clientSecret":7}', 'application/json', 400],
      [`{"clientId":"a","clientSecret":"${'x'.repeat(129)}"}`, 'application/json', 400],
      ['{"clientId":"a\\u0000","clientSecret":"b"}', 'application/json', 400],
      ['{"clientId":"\'; drop table users; --","clientSecret":"b"}', 'application/json', 401],
      ['clientId=a&clientSecret=b', 'application/x-www-form-urlencoded', 415],
    ]
    for (const [body, type, status] of cases) assert.equal((await post(body, type)).status, status, body)
  })
})

describe('a token', () => {
  test('is not called invalid because its key could not be read', async () => {
    const database = await openTestDatabase()
    const clock = movableClock()
    const keystore = createLocalKeystore(new Secret(randomBytes(32)))
    const keys = createSigningKeys({ database, keystore, clock })
    const tokens = createTokens({ keys, clock, issuer: () => server.url })
    const [subject, tokenId] = [randomUUID(), randomUUID()]
    const issuedAtMs = clock.now()
    const { token } = await tokens.sign({ kind: 'user', subject, tokenId, issuedAtMs, lifetimeSeconds: 900 })
    await database[Symbol.asyncDispose]()
    clock.advance({ seconds: 10 })
    await assert.rejects(tokens.verify(token), (error) => !(error instanceof Problem))
  })
})

/** Opens a new session after the clock was moved past the end of the old one. */
const signOwnerInAgain = async () => {
  owner = { ...owner, admin: await owner.signInAgain() }
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
