import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dumpOf } from '../../../../test/dump.ts'
import { claimsOf } from '../../../../test/machines.ts'
import { duringPasswordChange } from '../../../../test/password-change.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { foundCompany, type Person, password, signUp } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)
const signIn = ({ username }: Pick<Person, 'username'>, device = 'node') =>
  server.client().login({ body: { username, password }, headers: { 'user-agent': device } })
const someId = '0198c0de-0000-7000-8000-000000000000'

describe('the sessions of a person', () => {
  test('are listed newest first with device and address, the current one marked, in pages', async () => {
    const person = await signUp(server, 'collector')
    server.clock.advance({ seconds: 1 })
    const phone = await signIn(person, 'Phone/1.0')
    server.clock.advance({ seconds: 1 })
    await signIn(person, 'Tablet/2.0')
    const sessions = await as(phone).listSessions()
    assert.deepEqual(
      sessions.map(({ device, current }) => [device, current]),
      [
        ['Tablet/2.0', false],
        ['Phone/1.0', true],
        ['node', false],
      ],
    )
    for (const { userId, ipAddress } of sessions) {
      assert.equal(userId, person.id)
      assert.match(ipAddress, /^(127\.0\.0\.1|::1)$/)
    }
    const [newest, middle, oldest] = sessions
    const { jti } = await as(phone).inspectToken()
    assert.equal(middle?.jwtId, jti)
    assert.deepEqual(await as(phone).listSessions({ query: { limit: 1 } }), [newest])
    assert.deepEqual(await as(phone).listSessions({ query: { limit: 1, after: middle?.id ?? '' } }), [oldest])
    const response = await fetch(`${server.url}/api/sessions?limit=2`, {
      headers: { authorization: `Bearer ${phone.accessToken}` },
    })
    assert.equal(response.headers.get('link'), `<?limit=2&after=${middle?.id}>; rel="next"`)
    assert.deepEqual(await as(phone).readSession({ params: { sessionId: oldest?.id ?? '' } }), oldest)
  })

  test('are hidden from other persons: 404, and not listed', async () => {
    const person = await signUp(server, 'private-person')
    const other = await signUp(server, 'curious')
    const [session] = await as(person).listSessions()
    for (const sessionId of [session?.id ?? '', someId]) {
      await assertRefused(as(other).readSession({ params: { sessionId } }), 'not_found')
      await assertRefused(as(other).endSession({ params: { sessionId } }), 'not_found')
    }
    await assertRefused(as(other).endSession({ params: { sessionId: 'not-an-id' } }), 'validation_failed')
    assert.equal((await as(other).listSessions()).length, 1)
    assert.equal((await as(person).listSessions()).length, 1)
  })

  test('end one at a time: the tokens of that session become invalid, the others stay valid', async () => {
    const person = await signUp(server, 'tidy-person')
    const phone = await signIn(person)
    const [latest] = await as(person).listSessions()
    const ended = await as(person).endSession({ params: { sessionId: latest?.id ?? '' } })
    assert.deepEqual(ended, latest)
    await assertRefused(as(phone).readMe(), 'token_invalid')
    await assertRefused(as(person).readSession({ params: { sessionId: ended.id } }), 'not_found')
    await assertRefused(as(person).endSession({ params: { sessionId: ended.id } }), 'not_found')
    assert.ok(await as(person).readMe())
  })

  test('end all at once, including the current one, and only those of this person', async () => {
    const person = await signUp(server, 'panicking')
    const bystander = await signUp(server, 'bystander')
    const phone = await signIn(person)
    const listed = await as(person).listSessions()
    assert.deepEqual(await as(person).endAllSessions(), listed)
    for (const one of [person, phone]) await assertRefused(as(one).readMe(), 'token_invalid')
    assert.ok(await as(bystander).readMe())
    assert.equal((await as(await signIn(person)).listSessions()).length, 1)
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.ok(audit.split('\n').some((line) => line.includes('sessions.end_all') && line.includes(person.id)))
  })

  test('are not opened with a password that changes during the sign-in', async () => {
    const person = await signUp(server, 'racing')
    const body = { username: 'racing', password }
    const login = duringPasswordChange(server, person.id, () => server.client().login({ body }))
    await assertRefused(login, 'credentials_wrong')
  })

  test('are no longer listed after a new password, except the one that set it', async () => {
    const person = await signUp(server, 'careful')
    await signIn(person)
    const own = (await as(person).listSessions()).filter(({ current }) => current)
    server.clock.advance({ seconds: 1 })
    const body = { password: 'another good one', currentPassword: password }
    await as(person).changePassword({ params: { id: person.id }, body })
    assert.deepEqual(await as(person).listSessions(), own)
  })

  test('are no longer listed after 60 days', async () => {
    const person = await signUp(server, 'sleeper')
    server.clock.advance({ days: 61 })
    assert.equal((await as(await signIn(person)).listSessions()).length, 1)
  })
})

describe('signing out', () => {
  test('ends the session of the token, clears the cookies and keeps other sessions', async () => {
    const person = await signUp(server, 'day-worker')
    const phone = await signIn(person)
    const response = await fetch(`${server.url}/api/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.accessToken}` },
    })
    assert.equal(response.status, 200)
    assert.equal(await response.json(), 'Signed out')
    const cookies = response.headers.getSetCookie()
    for (const name of ['accessToken', 'refreshToken']) {
      assert.ok(
        cookies.some((cookie) => cookie.startsWith(`${name}=; Path=/; Max-Age=0;`)),
        name,
      )
    }
    await assertRefused(as(person).readMe(), 'token_invalid')
    await assertRefused(as(person).logout(), 'token_invalid')
    assert.ok(await as(phone).readMe())
  })

  test('requires a token, like every other operation on sessions', async () => {
    const nobody = server.client()
    const calls = [
      () => nobody.logout(),
      () => nobody.inspectToken(),
      () => nobody.listSessions(),
      () => nobody.endAllSessions(),
      () => nobody.readSession({ params: { sessionId: someId } }),
      () => nobody.endSession({ params: { sessionId: someId } }),
    ]
    for (const call of calls) assert.equal((await refusal(call())).status, 401)
  })
})

describe('the token of a person', () => {
  test('has the id of its user, and neither name nor address', async () => {
    const person = await signUp(server, 'nameless')
    const refreshed = await server
      .client()
      .refreshSession({ headers: { refresh: `Bearer ${person.refreshToken}` } })
    for (const { accessToken } of [person, refreshed]) {
      assert.deepEqual(claimsOf(accessToken)['user'], { id: person.id })
      assert.doesNotMatch(JSON.stringify(claimsOf(accessToken)), /nameless|@/)
    }
  })
})

describe('inspecting a token', () => {
  test('returns the claims of a person’s token', async () => {
    const startedAt = Math.floor(server.clock.now() / 1_000)
    const person = await signUp(server, 'inspected')
    const claims = await as(person).inspectToken()
    const { id, username, email } = person
    assert.deepEqual(claims.user, { id, username, email })
    assert.equal(claims.sub, id)
    assert.equal(claims.iss, server.url)
    assert.equal(claims.claim, 'user')
    assert.equal((claims.exp ?? 0) - claims.iat, 15 * 60)
    assert.ok(startedAt <= claims.iat && claims.iat <= server.clock.now() / 1_000)
    assert.equal(claims.mode, undefined)
  })

  test('returns company, mode and scopes of machine tokens, and no person', async () => {
    const person = await signUp(server, 'automator')
    const company = await foundCompany(server, person)
    const scopes = { certificates: { actions: ['validate_one'] } }
    const { clientId, clientSecret } = await as(person).createApplication({
      company: company.id,
      body: { description: 'Line 1', mode: 'test', scopes },
    })
    const application = await server.client().createToken({ body: { clientId, clientSecret } })
    const { jwt } = await as(person).createAccessToken({
      company: company.id,
      query: { mode: 'test' },
      body: { scopes },
    })
    for (const [claim, accessToken, lifetimeSeconds] of [
      ['application', application.accessToken, 24 * 60 * 60],
      ['accesstoken', jwt, 365 * 24 * 60 * 60],
    ] as const) {
      const claims = await as({ accessToken }).inspectToken()
      assert.equal(claims.claim, claim)
      assert.equal(claims.user, undefined)
      assert.deepEqual(claims.company, { id: company.id, vatId: company.vatId })
      assert.equal(claims.mode, 'test')
      assert.deepEqual(claims.scopes, scopes)
      assert.equal((claims.exp ?? 0) - claims.iat, lifetimeSeconds)
      await assertRefused(as({ accessToken }).listSessions(), 'person_required')
      await assertRefused(as({ accessToken }).endAllSessions(), 'person_required')
    }
  })
})
