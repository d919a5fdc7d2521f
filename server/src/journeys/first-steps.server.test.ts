import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ApiError } from '@millseal/sdk'
import { linkIn, startOwnServer, type TestServer } from '../../test/test-server.ts'
import { password, signUp } from '../../test/people.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const refusal = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, 'the call was not refused')
  return error
}

describe('from registration to the first authenticated call', () => {
  test('register, confirm the address, sign in, read the own user', async () => {
    const nobody = server.client()
    const email = 'melter@example.com'
    const registered = await nobody.registerUser({ body: { username: 'melter', email, password } })
    assert.equal(registered.emailConfirmed, false)
    assert.equal((await refusal(nobody.login({ body: { username: 'melter', password } }))).status, 403)

    const [mail = ''] = await server.mailsTo(email, 1)
    const confirmed = await fetch(linkIn(mail), { redirect: 'manual' })
    assert.equal(confirmed.status, 302)
    const welcome = await fetch(confirmed.headers.get('location') ?? '')
    assert.equal(welcome.status, 200)
    assert.match(await welcome.text(), /confirmed/)

    const byName = await nobody.login({ body: { username: 'MELTER', password } })
    const byEmail = await nobody.login({ body: { email: 'Melter@Example.com', password } })
    assert.equal(byName.userId, registered.id)
    assert.notEqual(byName.refreshToken, byEmail.refreshToken)

    const me = await server.client(byName.accessToken).readMe()
    assert.equal(me.id, registered.id)
    assert.equal(me.emailConfirmed, true)
    assert.deepEqual(me.companies, [])
    assert.ok(!JSON.stringify(me).includes('argon2'))
  })

  test('a link works until it expires, and only for its purpose', async () => {
    const nobody = server.client()
    await nobody.registerUser({ body: { username: 'late-riser', email: 'late@example.com', password } })
    const [mail = ''] = await server.mailsTo('late@example.com', 1)
    server.clock.advance({ days: 1, seconds: 1 })
    const late = await fetch(linkIn(mail), { redirect: 'manual' })
    assert.equal(late.status, 401)
    await nobody.resendConfirmation({ params: { email: 'late@example.com' } })
    const [, second = ''] = await server.mailsTo('late@example.com', 2)
    assert.equal((await fetch(linkIn(second), { redirect: 'manual' })).status, 302)
    assert.equal(
      (await fetch(linkIn(second), { redirect: 'manual' })).status,
      302,
      'a mail scanner may open it first',
    )
  })

  test('names and addresses match in any letter case, and requesting a mail does not reveal whether an address exists', async () => {
    const nobody = server.client()
    await signUp(server, 'Caster')
    const sameName = { username: 'cASTER', email: 'other@example.com', password }
    const sameEmail = { username: 'other-caster', email: 'CASTER@example.com', password }
    for (const body of [sameName, sameEmail]) {
      const { status, answer } = await refusal(nobody.registerUser({ body }))
      assert.equal(status, 409)
      assert.equal(answer?.name, 'ConflictException')
    }
    const known = await nobody.resendConfirmation({ params: { email: 'caster@example.com' } })
    const unknown = await nobody.resendConfirmation({ params: { email: 'nobody-here@example.com' } })
    assert.deepEqual(known, unknown)
  })

  test('a password that equals the name or is too simple is rejected with 406', async () => {
    const bads = [
      'weak-user',
      'weak-user@example.com',
      'aaaaaaaa',
      'abababab',
      'ILoveYou',
      'W3ak-us3r!',
      'Millseal2026',
    ]
    for (const bad of bads) {
      const body = { username: 'weak-user', email: 'weak-user@example.com', password: bad }
      const { status, answer } = await refusal(server.client().registerUser({ body }))
      assert.equal(status, 406, bad)
      assert.match(answer?.details.join() ?? '', /\/password/)
    }
  })

  test('a wrong password and an unknown user get the same answer', async () => {
    await signUp(server, 'roller')
    const wrong = await refusal(
      server.client().login({ body: { username: 'roller', password: 'not this one' } }),
    )
    const unknown = await refusal(
      server.client().login({ body: { username: 'nobody-here', password: 'not this one' } }),
    )
    assert.equal(wrong.status, 401)
    assert.deepEqual({ ...wrong.answer, timestamp: '' }, { ...unknown.answer, timestamp: '' })
  })

  test('an access token expires after 15 minutes: 401, with the reason in the body', async () => {
    const { accessToken } = await signUp(server, 'finisher')
    server.clock.advance({ minutes: 14 })
    assert.ok(await server.client(accessToken).readMe())
    server.clock.advance({ minutes: 2 })
    const { status, answer } = await refusal(server.client(accessToken).readMe())
    assert.equal(status, 401)
    assert.equal(answer?.statusCode, 401)
    assert.match(answer?.message ?? '', /expired/)
  })

  test('the log contains no password, link token or session token', async () => {
    const person = await signUp(server, 'canary-bird')
    const [mail = ''] = await server.mailsTo(person.email, 1)
    const secrets = [
      password,
      linkIn(mail).searchParams.get('token') ?? 'missing',
      person.accessToken,
      person.refreshToken,
    ]
    const text = server.log.join('\n')
    assert.ok(text.includes('/confirm-email'))
    for (const secret of secrets) assert.ok(!text.includes(secret), secret.slice(0, 8))
  })
})
