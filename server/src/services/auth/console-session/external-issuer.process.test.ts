import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Browser, consoleHeaders, openBrowser, type Page } from '../../../../test/browser.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { type OtherIssuer, signInThere, startOtherIssuer } from '../../../../test/other-issuer.ts'
import { addPasskey, passkeyRequestIn, submitPasskey } from '../../../../test/passkeys.ts'
import { enableMfa, password, signUp } from '../../../../test/people.ts'
import { freePort } from '../../../../test/server-process.ts'

let issuer: OtherIssuer
let server: TestServer
/** Its operator trusts what the issuer says about the methods of a sign-in. */
let trusting: TestServer
before(async () => {
  const urls = [await freePort(), await freePort()].map((port) => `http://localhost:${port}`)
  issuer = await startOtherIssuer(...urls.map((url) => `${url}/auth/callback`))
  const start = (publicUrl = '', trust = 'off') =>
    startOwnServer({
      environment: {
        MILLSEAL_PORT: new URL(publicUrl).port,
        MILLSEAL_PUBLIC_URL: publicUrl,
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: issuer.clientId,
        OIDC_CLIENT_SECRET: issuer.clientSecret,
        OIDC_TRUST_AMR: trust,
      },
    })
  server = await start(urls[0])
  trusting = await start(urls[1], 'on')
})
after(async () => {
  await trusting[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

const enter = async (account: string, browser = openBrowser(), query = 'return_to=/welcome'): Promise<Page> =>
  signInThere(browser, await browser.open(`${server.url}/auth/login?${query}`), account)
const call = (browser: Browser, path: string) =>
  browser.call(`${server.url}/api${path}`, { headers: consoleHeaders })
const me = async (browser: Browser) => {
  const answer = await call(browser, '/users/me')
  return {
    status: answer.status,
    user: (await answer.json()) as { id: string; username: string; email: string },
  }
}
/** Of the newest session, which is that of the browser. */
const strengthOf = async (browser: Browser, { url }: TestServer) => {
  const answer = await browser.call(`${url}/api/sessions`, { headers: consoleHeaders })
  const [session] = (await answer.json()) as { amr: string[]; acr: string }[]
  return [session?.acr, session?.amr.join(' ')]
}

describe('signing in with an external issuer', () => {
  test('creates a user without a password for a new person with a verified address', async () => {
    await issuer.know({
      'u-1': { email: 'anna@corp.example', email_verified: true, preferred_username: 'anna' },
    })
    const browser = openBrowser()
    const page = await enter('u-1', browser)
    assert.equal(page.url.pathname, '/welcome', page.text)
    const { status, user } = await me(browser)
    assert.equal(status, 200)
    assert.equal(user.email, 'anna@corp.example')
    assert.match(user.username, /^anna/)
    for (const guess of ['', 'any', 'anna@corp.example']) {
      await assert.rejects(server.client().login({ body: { username: user.username, password: guess } }))
    }
  })

  test('recognizes a person by subject, not by an address that may now belong to another person', async () => {
    await issuer.know({
      'u-2': { email: 'boss@corp.example', email_verified: true },
      'u-3': { email: 'boss@corp.example', email_verified: true },
    })
    const browser = openBrowser()
    await enter('u-2', browser)
    const { user } = await me(browser)
    await issuer.know({
      'u-2': { email: 'retired@corp.example', email_verified: true },
      'u-3': { email: 'boss@corp.example', email_verified: true },
    })
    const same = openBrowser()
    await enter('u-2', same)
    assert.equal((await me(same)).user.id, user.id)
    const successor = openBrowser()
    const page = await enter('u-3', successor)
    assert.equal(page.status, 409)
    assert.match(page.text, /belongs to another person/)
    assert.equal((await me(successor)).status, 401)
  })

  test('is rejected if the address is not verified, also for values that only look like true', async () => {
    const person = await signUp(server, 'known-here')
    for (const email_verified of [false, 'true', 1, undefined]) {
      await issuer.know({ 'u-4': { email: person.email, email_verified } })
      const browser = openBrowser()
      const page = await enter('u-4', browser)
      assert.equal(page.status, 403, String(email_verified))
      assert.match(page.text, /has not verified your e-mail address/)
      assert.equal((await me(browser)).status, 401)
    }
    await issuer.know({ 'u-4': { email_verified: true } })
    assert.equal((await enter('u-4')).status, 403)
  })

  test('matches an existing user by the verified address, and notifies the user by mail', async () => {
    const person = await signUp(server, 'both-ways')
    await issuer.know({ 'u-5': { email: 'Both-Ways@example.com', email_verified: true } })
    const browser = openBrowser()
    await enter('u-5', browser)
    assert.equal((await me(browser)).user.id, person.id)
    const [notice] = await server.mailsTo(person.email, 1, /organisation/)
    assert.ok(notice)
    assert.ok(await server.client().login({ body: { username: 'both-ways', password } }))
  })

  test('removes the password of a person who registered the address first without confirming it', async () => {
    const email = 'victim@corp.example'
    await server.client().registerUser({ body: { username: 'squatter', email, password } })
    await issuer.know({ 'u-6': { email, email_verified: true } })
    const browser = openBrowser()
    await enter('u-6', browser)
    assert.equal((await me(browser)).user.email, email)
    await assert.rejects(server.client().login({ body: { username: 'squatter', password } }))
  })

  test('creates one user for two concurrent first sign-ins', async () => {
    await issuer.know({ 'u-7': { email: 'twin@corp.example', email_verified: true } })
    const browsers = [openBrowser(), openBrowser()]
    await Promise.all(browsers.map((browser) => enter('u-7', browser)))
    const ids = await Promise.all(browsers.map(async (browser) => (await me(browser)).user.id))
    assert.equal(new Set(ids).size, 1)
  })

  test('is one factor, whatever the issuer says, unless the operator trusts it', async () => {
    const known = { email_verified: true, preferred_username: 'strong' }
    await issuer.know({
      'amr-1': { ...known, email: 'one@corp.example', amr: ['pwd', 'mfa'] },
      'amr-2': { ...known, email: 'two@corp.example', amr: ['pwd'] },
    })
    const strengthAt = async (where: TestServer, account: string) => {
      const browser = openBrowser()
      const page = await browser.open(`${where.url}/auth/login?return_to=/welcome`)
      await signInThere(browser, page, account)
      return strengthOf(browser, where)
    }
    assert.deepEqual(await strengthAt(server, 'amr-1'), ['1fa', 'issuer'])
    assert.deepEqual(await strengthAt(trusting, 'amr-1'), ['2fa', 'issuer pwd mfa'])
    assert.deepEqual(await strengthAt(trusting, 'amr-2'), ['1fa', 'issuer pwd'])
  })

  test('asks for a code of this server if the user has MFA', async () => {
    const person = await signUp(server, 'with-code')
    const code = await enableMfa(server, person)
    await issuer.know({ 'u-8': { email: person.email, email_verified: true } })
    const browser = openBrowser()
    const page = await enter('u-8', browser)
    assert.equal(page.url.pathname, '/auth/code')
    assert.equal((await me(browser)).status, 401)
    const forged = await browser.submit(page, { code: code(), proof: 'forged' })
    assert.equal(forged.status, 400)
    const wrong = await browser.submit(page, { code: '000000' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /This code is wrong/)
    const done = await browser.submit(wrong, { code: code() })
    assert.equal(done.url.pathname, '/welcome', done.text)
    assert.equal((await me(browser)).user.id, person.id)
    assert.equal((await browser.submit(wrong, { code: code() })).status, 401, 'once')
    const constants = await call(browser, '/users/me/automation-constants')
    assert.equal(constants.status, 200, 'a code of this server is proof of presence')
  })

  test('accepts a passkey of this person in place of the code, and no other passkey', async () => {
    const person = await signUp(server, 'with-passkey')
    const passkey = await addPasskey(server, person)
    const foreign = await addPasskey(server, await signUp(server, 'with-another'))
    await issuer.know({ 'u-10': { email: person.email, email_verified: true } })
    const browser = openBrowser()
    const page = await enter('u-10', browser)
    assert.equal(page.url.pathname, '/auth/code')
    const refused = await submitPasskey(browser, page, foreign.answer(passkeyRequestIn(page)))
    assert.equal(refused.status, 401)
    assert.match(refused.text, /This passkey was not accepted/)
    assert.equal((await me(browser)).status, 401)
    const done = await submitPasskey(browser, refused, passkey.answer(passkeyRequestIn(refused)))
    assert.equal(done.url.pathname, '/welcome', done.text)
    assert.equal((await me(browser)).user.id, person.id)
    assert.deepEqual(await strengthOf(browser, server), ['2fa', 'issuer pop mfa'])
  })

  test('gives the session of the browser the strength of the newest sign-in', async () => {
    const known = { email: 'grows@corp.example', email_verified: true }
    const browser = openBrowser()
    const enterWith = async (amr: readonly string[]) => {
      await issuer.know({ 'amr-3': { ...known, amr } })
      const page = await browser.open(`${trusting.url}/auth/login?return_to=/welcome&again=1`)
      await signInThere(browser, page, 'amr-3')
      return strengthOf(browser, trusting)
    }
    assert.deepEqual(await enterWith(['pwd']), ['1fa', 'issuer pwd'])
    assert.deepEqual(await enterWith(['pwd', 'mfa']), ['2fa', 'issuer pwd mfa'])
    assert.deepEqual(await enterWith(['pwd']), ['1fa', 'issuer pwd'])
  })

  test('does not count a session at the issuer as a recent sign-in until the person signs in there again', async () => {
    await issuer.know({ 'u-9': { email: 'stepper@corp.example', email_verified: true } })
    const browser = openBrowser()
    await enter('u-9', browser)
    const path = '/users/me/automation-constants'
    assert.equal((await call(browser, path)).status, 403, 'the issuer did not say when')
    const page = await browser.open(`${server.url}/auth/login?again=1`)
    assert.match(page.text, /name="login"/, 'the issuer asks again')
    await signInThere(browser, page, 'u-9')
    assert.equal((await call(browser, path)).status, 200)
    server.clock.advance({ minutes: 11 })
    assert.equal((await call(browser, path)).status, 403)
  })

  test('does not accept a code after a quarter of an hour', async () => {
    const person = await signUp(server, 'slow-with-code')
    const code = await enableMfa(server, person)
    await issuer.know({ 'u-11': { email: person.email, email_verified: true } })
    const browser = openBrowser()
    const page = await enter('u-11', browser)
    server.clock.advance({ minutes: 16 })
    assert.equal((await browser.submit(page, { code: code() })).status, 401)
    assert.equal((await me(browser)).status, 401)
  })

  test('replaces the built-in provider', async () => {
    for (const path of ['/oidc/auth', '/oidc/.well-known/openid-configuration', '/oidc/jwks']) {
      assert.equal((await fetch(`${server.url}${path}`)).status, 404)
    }
  })

  test('reports that the issuer cannot be reached', async () => {
    await using down = await startOwnServer({
      environment: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'nobody' },
    })
    const page = await openBrowser().open(`${down.url}/auth/login`)
    assert.equal(page.status, 503)
    assert.match(page.text, /cannot be reached right now/)
  })

  test('reports that the issuer is gone before the sign-in could be finished', async () => {
    const gone = await startOtherIssuer('http://localhost/auth/callback')
    await using own = await startOwnServer({
      environment: {
        OIDC_ISSUER: gone.issuer,
        OIDC_CLIENT_ID: gone.clientId,
        OIDC_CLIENT_SECRET: gone.clientSecret,
      },
    })
    const begun = await fetch(`${own.url}/auth/login`, { redirect: 'manual' })
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await gone[Symbol.asyncDispose]()
    const cookie = begun.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const query = new URLSearchParams({ code: 'any', state, iss: gone.issuer })
    const answer = await fetch(`${own.url}/auth/callback?${query}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /cannot be reached right now/)
  })

  test('requires a client id, and HTTPS for issuers on other machines', async () => {
    const opening = (environment: Record<string, string>) => startOwnServer({ environment })
    await assert.rejects(opening({ OIDC_ISSUER: issuer.issuer }), /OIDC_CLIENT_ID/)
    await assert.rejects(opening({ OIDC_ISSUER: 'http://idp.example', OIDC_CLIENT_ID: 'x' }), /OIDC_ISSUER/)
  })
})
