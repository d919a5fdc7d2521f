import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dumpOf } from '../../../../test/dump.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { type Person, password, signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const refresh = async (token: string, device?: string) => {
  const headers = { refresh: `Bearer ${token}`, ...(device === undefined ? {} : { 'user-agent': device }) }
  const { refreshToken = '', ...rest } = await server.client().refreshSession({ headers })
  return { ...rest, refreshToken }
}
const readMe = (accessToken: string) => server.client(accessToken).readMe()
const signIn = async ({ username }: Person) => server.client().login({ body: { username, password } })

describe('refreshing a session', () => {
  test('returns a new access token and a new refresh token each time, in the body and as cookies', async () => {
    const person = await signUp(server, 'refresher')
    let { refreshToken } = person
    const seen = new Set([refreshToken])
    for (let round = 0; round < 5; round += 1) {
      server.clock.advance({ minutes: 16 })
      await assertRefused(readMe(person.accessToken), 'token_expired')
      const refreshed = await refresh(refreshToken)
      assert.equal(refreshed.userId, person.id)
      assert.equal((await readMe(refreshed.accessToken)).id, person.id)
      refreshToken = refreshed.refreshToken
      seen.add(refreshToken)
    }
    assert.equal(seen.size, 6)
    const response = await fetch(`${server.url}/api/auth/refresh`, {
      headers: { refresh: `Bearer ${refreshToken}` },
    })
    const cookies = response.headers.getSetCookie()
    const body = (await response.json()) as { accessToken: string; refreshToken: string }
    assert.ok(cookies.some((cookie) => cookie.startsWith(`accessToken=${body.accessToken};`)))
    const kept = cookies.find((cookie) => cookie.startsWith(`refreshToken=${body.refreshToken};`)) ?? ''
    assert.match(kept, /HttpOnly/)
    assert.match(kept, /SameSite=Strict/)
    const maxAge = Number(/Max-Age=(\d+)/.exec(kept)?.[1])
    assert.ok(maxAge > 0 && maxAge < 60 * 24 * 60 * 60, 'the rest of the 60 days, not 60 more')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  test('stops 60 days after signing in, no matter how often the session was refreshed', async () => {
    const person = await signUp(server, 'long-stayer')
    let { refreshToken } = person
    for (let day = 0; day < 59; day += 20) {
      server.clock.advance({ days: 20 - 1 / 1_440 })
      if (day < 40) refreshToken = (await refresh(refreshToken)).refreshToken
    }
    refreshToken = (await refresh(refreshToken)).refreshToken
    server.clock.advance({ minutes: 4 })
    await assertRefused(refresh(refreshToken), 'token_invalid')
  })

  test('accepts only a refresh token: no access token, no invented one, not a missing one', async () => {
    const person = await signUp(server, 'confuser')
    for (const wrong of [person.accessToken, 'invented', person.refreshToken.slice(0, -1)]) {
      await assertRefused(refresh(wrong), 'token_invalid')
    }
    assert.equal((await refusal(server.client().refreshSession())).status, 401)
    await assertRefused(readMe(person.refreshToken), 'token_invalid')
    const cookies = { cookie: `refreshToken=${person.refreshToken}; accessToken=${person.accessToken}` }
    for (const path of ['auth/refresh', 'users/me']) {
      const response = await fetch(`${server.url}/api/${path}`, { headers: cookies })
      assert.equal(response.status, 401, `${path}: cookies are sent, never accepted`)
    }
    assert.ok(await refresh(person.refreshToken))
  })

  test('fails once the session has ended or its user was deleted', async () => {
    const person = await signUp(server, 'leaver')
    const other = await signIn(person)
    await server.client(person.accessToken).logout()
    await assertRefused(refresh(person.refreshToken), 'token_invalid')
    await server.client(other.accessToken).deleteUser({ params: { id: person.id } })
    await assertRefused(refresh(other.refreshToken), 'token_invalid')
  })
})

describe('a replaced refresh token', () => {
  test('ends its session when it is used again, with a mail to the user and an audit entry', async () => {
    const person = await signUp(server, 'robbed')
    const other = await signIn(person)
    const first = await refresh(person.refreshToken)
    const second = await refresh(first.refreshToken)
    server.clock.advance({ seconds: 11 })
    const refused = await refusal(refresh(person.refreshToken))
    assert.equal(refused.status, 401)
    await assertRefused(refresh(second.refreshToken), 'token_invalid')
    for (const { accessToken } of [person, first, second]) {
      await assertRefused(readMe(accessToken), 'token_invalid')
    }
    assert.ok(await readMe(other.accessToken), 'another session of the same person stays open')
    const [, notice = ''] = await server.mailsTo(person.email, 2)
    assert.match(notice.replaceAll('=\r\n', ''), /refresh token was used after it had been replaced/)
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.ok(audit.split('\n').some((line) => line.includes('auth.refresh') && line.includes(person.id)))
  })

  test('is recognized long after it was replaced, because only the family of tokens is stored', async () => {
    const person = await signUp(server, 'robbed-early')
    let { refreshToken } = person
    for (let round = 0; round < 20; round += 1) refreshToken = (await refresh(refreshToken)).refreshToken
    server.clock.advance({ days: 3 })
    await assertRefused(refresh(person.refreshToken), 'token_invalid')
    await assertRefused(refresh(refreshToken), 'token_invalid')
  })

  test('cannot be invented: the id of a session is not enough to end the session', async () => {
    const person = await signUp(server, 'well-known')
    const [sessionId = ''] = person.refreshToken.split('.')
    await assertRefused(refresh(`${sessionId}.${'A'.repeat(64)}`), 'token_invalid')
    assert.ok(await refresh(person.refreshToken))
  })

  test('gets the same successor for 10 seconds, so two tabs or a lost answer sign nobody out', async () => {
    const person = await signUp(server, 'two-tabs')
    using _frozen = server.clock.freeze()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(person.refreshToken)))
    assert.equal(new Set(answers.map(({ refreshToken }) => refreshToken)).size, 1)
    for (const { accessToken } of answers) assert.ok(await readMe(accessToken))
    server.clock.advance({ seconds: 10 })
    const late = await refresh(person.refreshToken)
    assert.equal(late.refreshToken, answers[0]?.refreshToken)
    assert.ok(await refresh(late.refreshToken))
  })

  test('gets it for 10 seconds after the first use, however often it is used', async () => {
    const person = await signUp(server, 'many-tabs')
    using _frozen = server.clock.freeze()
    const { refreshToken } = await refresh(person.refreshToken)
    server.clock.advance({ seconds: 8 })
    assert.equal((await refresh(person.refreshToken)).refreshToken, refreshToken)
    server.clock.advance({ seconds: 8 })
    await assertRefused(refresh(person.refreshToken), 'token_invalid')
  })

  test('counts as stolen at once if another device sends it', async () => {
    const person = await signUp(server, 'shadowed')
    const { refreshToken } = await refresh(person.refreshToken)
    await assertRefused(refresh(person.refreshToken, 'Another Browser/1.0'), 'token_invalid')
    await assertRefused(refresh(refreshToken), 'token_invalid')
  })

  test('lets in one of two devices that send it at once, and then neither', async () => {
    const person = await signUp(server, 'raced')
    const calls = ['One/1.0', 'Two/2.0'].map((device) => refresh(person.refreshToken, device))
    assert.deepEqual(await outcomesOf(calls), { ok: 1, token_invalid: 1 })
    for (const call of await Promise.allSettled(calls)) {
      if (call.status === 'fulfilled') await assertRefused(readMe(call.value.accessToken), 'token_invalid')
    }
  })
})
