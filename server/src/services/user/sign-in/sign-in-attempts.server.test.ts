import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openBrowser } from '../../../../test/browser.ts'
import { password, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_TRUST_PROXY: 'loopback' } })
})
after(() => server[Symbol.asyncDispose]())

const signIn = (username: string, typed: string, ip = '192.0.2.1') =>
  server.client().login({ body: { username, password: typed }, headers: { 'x-forwarded-for': ip } })
const wrong = 'not the password'
const locked = /Subject: Sign-ins to your account are locked/

/** Fails until the lock lasts an hour, and waits for each shorter one. */
const failUntilLocked = async (username: string, ip?: string): Promise<void> => {
  for (let failures = 0; failures < 14; failures += 1) {
    await assertRefused(signIn(username, wrong, ip), 'credentials_wrong')
    server.clock.advance({ seconds: failures < 4 ? 0 : 10 * 2 ** (failures - 4) * (failures < 13 ? 1 : 0) })
  }
}

describe('wrong passwords', () => {
  test('make the next attempt wait, longer each time, then lock for an hour and mail the owner', async () => {
    const person = await signUp(server, 'guessed')
    for (let failures = 0; failures < 5; failures += 1)
      await assertRefused(signIn('guessed', wrong), 'credentials_wrong')
    const { status, answer } = await refusal(signIn('guessed', password))
    assert.equal(status, 429)
    assert.match(answer?.message ?? '', /wait, or request a new password/)
    server.clock.advance({ seconds: 10 })
    assert.ok(await signIn('guessed', password), 'a right password starts the count again')
    await failUntilLocked('guessed')
    server.clock.advance({ minutes: 59 })
    await assertRefused(signIn('guessed', password), 'sign_in_locked')
    const mails = await server.mailsTo(person.email, 1, /locked/)
    assert.equal(mails.length, 1)
    server.clock.advance({ minutes: 2 })
    assert.ok(await signIn('guessed', password))
  })

  test('of a stranger do not lock the owner out, who signs in from another address', async () => {
    await signUp(server, 'targeted')
    await failUntilLocked('targeted', '198.51.100.7')
    await assertRefused(signIn('targeted', password, '198.51.100.7'), 'sign_in_locked')
    assert.ok(await signIn('targeted', password, '192.0.2.2'))
  })

  test('from a hundred addresses lock the account for all but those where the owner was, for an hour', async () => {
    await signUp(server, 'besieged')
    assert.ok(await signIn('besieged', password, '192.0.2.3'))
    for (let n = 0; n < 100; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          assertRefused(signIn('besieged', wrong, `203.0.113.${n + i}`), 'credentials_wrong'),
        ),
      )
    await assertRefused(signIn('besieged', password, '203.0.113.200'), 'sign_in_locked')
    assert.ok(await signIn('besieged', password, '192.0.2.3'))
    server.clock.advance({ minutes: 61 })
    assert.ok(await signIn('besieged', password, '203.0.113.200'))
  })

  test('are answered alike for an account that does not exist', async () => {
    await signUp(server, 'existing')
    const answers = []
    for (const name of ['existing', 'not-existing']) {
      const seen = []
      for (let failures = 0; failures < 7; failures += 1) {
        const { status, answer } = await refusal(signIn(name, wrong, '192.0.2.9'))
        seen.push([status, answer?.message])
      }
      answers.push(seen)
    }
    assert.deepEqual(answers[0], answers[1])
  })

  test('that arrive at once are all counted: a right one among fifty is refused once the account is locked', async () => {
    await signUp(server, 'rushed')
    const calls = Array.from({ length: 50 }, () => signIn('rushed', wrong, '192.0.2.10'))
    const outcomes = await outcomesOf(calls)
    assert.equal((outcomes['credentials_wrong'] ?? 0) + (outcomes['sign_in_locked'] ?? 0), 50)
    await assertRefused(signIn('rushed', password, '192.0.2.10'), 'sign_in_locked')
  })

  test('are in the audit log, without what was typed as the name', async () => {
    const person = await signUp(server, 'watched-one')
    const operator = await signUpOperator(server)
    await assertRefused(signIn('watched-one', wrong, '192.0.2.11'), 'credentials_wrong')
    await assertRefused(signIn('my-secret-password', wrong, '192.0.2.12'), 'credentials_wrong')
    const query = { action: 'auth.sign_in_failed', limit: 2 }
    const entries = await server.client(operator.accessToken).listAuditEntries({ query })
    assert.deepEqual(
      entries.map(({ actor, subject, ipAddress, details }) => ({ actor, subject, ipAddress, details })),
      [
        {
          actor: 'ip:192.0.2.12',
          subject: 'user:unknown',
          ipAddress: '192.0.2.12',
          details: { reason: 'password' },
        },
        {
          actor: 'ip:192.0.2.11',
          subject: `user:${person.id}`,
          ipAddress: '192.0.2.11',
          details: { reason: 'password' },
        },
      ],
    )
    assert.doesNotMatch(JSON.stringify(entries), /secret/)
  })
})

describe('a lock ends', () => {
  test('with a new password by the mailed link', async () => {
    const { email } = await signUp(server, 'forgetful')
    await failUntilLocked('forgetful')
    await server.client().requestPasswordReset({ params: { email } })
    const [mail = ''] = await server.mailsTo(email, 1, /Set_?\s?a_?\s?new_?\s?password\b(?![\s\S]*locked)/)
    const token = linkIn(mail).searchParams.get('token') ?? ''
    const fresh = 'another battery staple'
    await server.client().resetPassword({ query: { token }, body: { password: fresh } })
    assert.ok(await signIn('forgetful', fresh))
  })

  test('with the link of the mail, once, within an hour, and not before its page was answered', async () => {
    const { email, id } = await signUp(server, 'unlocked-one')
    await failUntilLocked('unlocked-one')
    const mails = await server.mailsTo(email, 1, locked)
    assert.equal(mails.length, 1, 'one mail a lock')
    const link = linkIn(mails[0] ?? '').href
    const browser = openBrowser()
    const page = await browser.open(link)
    assert.equal(page.url.search, '', 'the token is not in the address')
    assert.match(page.text, /Somebody entered wrong passwords/)
    await assertRefused(signIn('unlocked-one', password), 'sign_in_locked')
    const done = await browser.submit(page, {})
    assert.equal(done.url.pathname, '/unlock-sign-in/done')
    assert.match(done.text, /The lock has ended/)
    assert.ok(await signIn('unlocked-one', password))
    const again = await browser.open(link)
    assert.equal(again.status, 401)
    assert.match(again.text, /no longer valid/)
    const token = new URL(link).searchParams.get('token') ?? ''
    await assertRefused(server.client().unlockSignInByLink({ query: { token } }), 'link_invalid')
    const operator = await signUpOperator(server)
    const query = { action: 'users.unlock_sign_in_by_link', subject: `user:${id}` }
    assert.equal((await server.client(operator.accessToken).listAuditEntries({ query })).length, 1)
  })

  test('with the link as JSON; a link of the hour before does nothing, and none tells who has an account', async () => {
    const { email } = await signUp(server, 'unlocked-too')
    const lockedLink = async (count: number): Promise<string> => {
      await failUntilLocked('unlocked-too')
      const mails = await server.mailsTo(email, count, locked)
      assert.equal(mails.length, count)
      return linkIn(mails.at(-1) ?? '').searchParams.get('token') ?? ''
    }
    const unlock = (token: string) => server.client().unlockSignInByLink({ query: { token } })
    const late = await lockedLink(1)
    server.clock.advance({ minutes: 61 })
    const [expired, unknown] = [await refusal(unlock(late)), await refusal(unlock('x'.repeat(43)))]
    assert.deepEqual({ ...expired.answer, timestamp: '' }, { ...unknown.answer, timestamp: '' })
    assert.equal(expired.code, 'link_invalid')
    assert.ok(await signIn('unlocked-too', password))
    const token = await lockedLink(2)
    const outcomes = await outcomesOf(Array.from({ length: 5 }, () => unlock(token)))
    assert.deepEqual(outcomes, { ok: 1, link_invalid: 4 })
    assert.ok(await signIn('unlocked-too', password))
  })

  test('by an operator, and by no other user', async () => {
    const person = await signUp(server, 'helped')
    await failUntilLocked('helped')
    const operator = await signUpOperator(server)
    const other = await signUp(server, 'not-helping')
    const unlock = (token: string) => server.client(token).unlockSignIn({ params: { id: person.id } })
    await assertRefused(unlock(other.accessToken), 'role_missing')
    await unlock(operator.accessToken)
    assert.ok(await signIn('helped', password))
  })

  test('not by another process or a restart: the counts are in the database', async () => {
    await signUp(server, 'restarted')
    await failUntilLocked('restarted')
    await using second = await startOwnServer({
      databaseUrl: server.config.databaseUrl ?? '',
      environment: { MILLSEAL_TRUST_PROXY: 'loopback' },
    })
    second.clock.advance({ seconds: (server.clock.now() - second.clock.now()) / 1_000 })
    const body = { username: 'restarted', password }
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    await assertRefused(second.client().login({ body, headers }), 'sign_in_locked')
  })
})
