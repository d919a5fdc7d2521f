import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { openBrowser, type Page, signInBy } from '../../../../test/browser.ts'
import { askWhoIAm, sessionCookie, signedInByBrowser } from '../../../../test/console-sessions.ts'
import { duringPasswordChange } from '../../../../test/password-change.ts'
import { addPasskey, passkeyRequestIn, submitPasskey } from '../../../../test/passkeys.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { enableMfa, password, signUp } from '../../../../test/people.ts'
import { auditBy } from '../../../../test/traces.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const passkeysAskedFor = (page: Page) => {
  const { userVerification, allowCredentials } = JSON.parse(passkeyRequestIn(page)) as {
    readonly userVerification: string
    readonly allowCredentials?: readonly { readonly id: string }[]
  }
  return { userVerification, allowed: allowCredentials?.map(({ id }) => id) }
}

describe('signing in to the console', () => {
  test('leads from the issuer’s password page over the callback to the requested page', async () => {
    const { person, browser, page } = await signedInByBrowser(server, 'melter')
    assert.deepEqual(
      page.trail.map((address) => new URL(address).pathname.replace(/[\w-]{43}/, '*')),
      ['/oidc/interaction/*/password', '/oidc/auth/*', '/auth/callback', '/welcome'],
    )
    const answer = await askWhoIAm(server, browser)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(((await answer.json()) as { id: string }).id, person.id)
  })

  test('asks for a code after the password if MFA is on, and the code cannot be skipped', async () => {
    const person = await signUp(server, 'careful')
    const code = await enableMfa(server, person)
    const browser = openBrowser()
    const first = await browser.open(`${server.url}/auth/login`)
    const second = await browser.submit(first, { login: 'careful', password })
    assert.match(second.text, /one-time-code/)
    assert.equal(sessionCookie(browser), undefined)

    const skipped = await browser.open(`${server.url}/oidc/auth/${new URL(first.url).pathname.split('/')[3]}`)
    assert.match(skipped.text, /current-password/, 'skipping the code starts again with the password')

    const again = await signInBy(browser, server, { login: 'careful', password, code: () => '000000' })
    assert.equal(again.status, 401)
    assert.match(again.text, /role="alert">This code is wrong/)
    const used = code()
    const entered = await browser.submit(again, { code: used })
    assert.equal(entered.status, 200)
    assert.equal((await askWhoIAm(server, browser)).status, 200)
    const replayed = await signInBy(openBrowser(), server, { login: 'careful', password, code: () => used })
    assert.equal(replayed.status, 401)
  })

  test('does not accept a code more than five minutes after the password', async () => {
    const code = await enableMfa(server, await signUp(server, 'late-with-code'))
    const browser = openBrowser()
    const page = await signInBy(browser, server, { login: 'late-with-code', password })
    server.clock.advance({ minutes: 6 })
    const late = await browser.submit(page, { code: code() })
    assert.equal(late.status, 401)
    assert.match(late.text, /href="[^"]*\/auth\/login">Sign in again/)
    assert.equal((await askWhoIAm(server, browser)).status, 401)
  })

  test('asks for any passkey, and after the password only for one of this person', async () => {
    const { response } = await addPasskey(server, await signUp(server, 'key-bearer'))
    const browser = openBrowser()
    const first = await browser.open(`${server.url}/auth/login`)
    assert.deepEqual(passkeysAskedFor(first), { userVerification: 'required', allowed: undefined })
    const second = await browser.submit(first, { login: 'key-bearer', password })
    const { id } = JSON.parse(response) as { id: string }
    assert.deepEqual(passkeysAskedFor(second), { userVerification: 'discouraged', allowed: [id] })
  })

  test('accepts a passkey alone, and after the password one of this person', async () => {
    const person = await signUp(server, 'key-owner')
    const passkey = await addPasskey(server, person)
    const foreign = await addPasskey(server, await signUp(server, 'key-stranger'))
    const alone = openBrowser()
    const page = await alone.open(`${server.url}/auth/login`)
    await submitPasskey(alone, page, passkey.answer(passkeyRequestIn(page)))
    const browser = openBrowser()
    const second = await signInBy(browser, server, { login: 'key-owner', password })
    const refused = await submitPasskey(browser, second, foreign.answer(passkeyRequestIn(second)))
    assert.equal(refused.status, 401)
    assert.match(refused.text, /one-time-code/)
    await submitPasskey(browser, refused, passkey.answer(passkeyRequestIn(refused)))
    for (const each of [alone, browser])
      assert.equal(((await (await askWhoIAm(server, each)).json()) as { id: string }).id, person.id)
    const signIns = (await auditBy(server, `user:${person.id}`)).filter(
      ({ action }) => action === 'console.sign_in',
    )
    assert.deepEqual(
      signIns.map(({ details }) => details),
      [
        { by: 'passkey', acr: '2fa' },
        { by: 'password', acr: '2fa' },
      ],
    )
  })

  test('is in the audit log, as is a new sign-in of the same session', async () => {
    const { person, browser } = await signedInByBrowser(server, 'audited')
    const page = await browser.open(`${server.url}/auth/login?again`)
    await browser.submit(page, { login: 'audited', password })
    const signIns = (await auditBy(server, `user:${person.id}`)).filter(({ action }) =>
      action.startsWith('console'),
    )
    const details = { by: 'password', acr: '1fa' }
    assert.deepEqual(
      signIns.map(({ action, details: said }) => [action, said]),
      [
        ['console.sign_in', details],
        ['console.sign_in_again', details],
      ],
    )
  })

  test('shows the error beside the field and keeps the name', async () => {
    await signUp(server, 'roller')
    const browser = openBrowser()
    const wrong = await signInBy(browser, server, { login: 'roller"><b>', password: 'not this one' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /aria-invalid="true" aria-describedby="problem"/)
    assert.match(wrong.text, /value="roller&quot;&gt;&lt;b&gt;"/)
    const unknown = await signInBy(openBrowser(), server, { login: 'nobody-here', password: 'not this one' })
    const alert = (text: string) => /role="alert">([^<]+)/.exec(text)?.[1]
    assert.equal(alert(unknown.text), alert(wrong.text))
    assert.equal((await askWhoIAm(server, browser)).status, 401)
  })

  test('reports an unconfirmed address to a person who knows the password', async () => {
    const email = 'hasty@example.com'
    await server.client().registerUser({ body: { username: 'hasty', email, password } })
    const page = await signInBy(openBrowser(), server, { login: email, password })
    assert.equal(page.status, 403)
    assert.match(page.text, /Confirm your e-mail address first/)
  })

  test('leads only to addresses of this server', async () => {
    await signUp(server, 'wanderer')
    for (const target of ['https://evil.example', '//evil.example', '/\\evil.example', '/..//evil.example']) {
      const page = await signInBy(openBrowser(), server, {
        login: 'wanderer',
        password,
        query: `return_to=${encodeURIComponent(target)}`,
      })
      const last = page.trail.find((address) => !/\/(oidc|auth)\//.test(address))
      assert.equal(new URL(last ?? 'missing:').origin, server.url, target)
    }
  })

  test('is skipped if another window has signed in, unless a new sign-in is requested', async () => {
    const { browser } = await signedInByBrowser(server, 'many-windows')
    const page = await browser.open(`${server.url}/auth/login?return_to=/welcome`)
    assert.deepEqual(page.trail.slice(1), [`${server.url}/welcome`])
    const again = await browser.open(`${server.url}/auth/login?again`)
    assert.match(again.text, /current-password/)
    server.clock.advance({ minutes: 24 * 60 })
    assert.match((await browser.open(`${server.url}/auth/login`)).text, /current-password/, 'no loop')
  })

  test('continues under the public name if it starts under another name of the host', async () => {
    await signUp(server, 'numeric')
    const browser = openBrowser()
    const page = await browser.open(
      `${server.url.replace('localhost', '127.0.0.1')}/auth/login?return_to=/welcome`,
    )
    assert.equal(page.url.hostname, 'localhost')
    assert.equal((await browser.submit(page, { login: 'numeric', password })).url.pathname, '/welcome')
  })

  test('sets cookies that scripts and other sites cannot use', async () => {
    const { browser } = await signedInByBrowser(server, 'guarded')
    assert.deepEqual(
      browser.cookies
        .filter(({ path }) => !path.startsWith('/oidc/interaction/'))
        .map(({ line }) => line.replace(/=[^;]+/, '')),
      [`millseal; Path=/; Max-Age=${limits.consoleSession.seconds}; HttpOnly; SameSite=Strict`],
    )
    const started = openBrowser()
    await started.open(`${server.url}/auth/login`)
    const [first] = started.cookies
    assert.match(
      first?.line ?? '',
      /^millseal-signin=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/,
    )
    for (const { line } of started.cookies) assert.match(line, /httponly/i)
  })
})

describe('the callback', () => {
  const stop = { stopAt: (url: URL) => url.pathname === '/auth/callback' }
  /** Signs in at the issuer and stops before the callback. */
  const beforeCallback = async (login: string) => {
    const browser = openBrowser()
    const page = await browser.open(`${server.url}/auth/login`)
    const back = await browser.submit(page, { login, password }, {}, stop)
    return { browser, callback: new URL(back.trail.at(-1) ?? 'missing:') }
  }

  test('is accepted once', async () => {
    const { browser, page } = await signedInByBrowser(server, 'repeater')
    const callback = page.trail.find((address) => address.includes('/auth/callback?')) ?? 'missing'
    const again = await browser.open(callback)
    assert.equal(again.status, 401)
    assert.match(again.text, /Signing in did not work/)
    assert.equal((await askWhoIAm(server, browser)).status, 200, 'the existing session stays open')
  })

  test('opens one session if it arrives twice at once', async () => {
    const person = await signUp(server, 'double-click')
    const { browser, callback } = await beforeCallback('double-click')
    const pages = await Promise.all([browser.open(callback.href), browser.open(callback.href)])
    assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([200, 401]))
    assert.equal((await server.client(person.accessToken).listSessions()).length, 2)
  })

  test('is rejected in another browser, whose own sign-in can still be finished', async () => {
    const { page } = await signedInByBrowser(server, 'victim')
    const callback = page.trail.find((address) => address.includes('/auth/callback?')) ?? 'missing'
    const browser = openBrowser()
    const first = await browser.open(`${server.url}/auth/login`)
    assert.equal((await browser.open(callback)).status, 401)
    assert.equal((await openBrowser().open(callback)).status, 401)
    const entered = await browser.submit(first, { login: 'victim', password })
    assert.equal(entered.url.pathname, '/console/')
  })

  test('is rejected with the code of another sign-in, because nonce and verifier differ', async () => {
    await signUp(server, 'injected')
    const mine = await beforeCallback('injected')
    const other = await beforeCallback('injected')
    mine.callback.searchParams.set('code', other.callback.searchParams.get('code') ?? '')
    assert.equal((await mine.browser.open(mine.callback.href)).status, 401)
    const logged = server.log.find((line) => line.includes('the answer of an issuer was refused')) ?? ''
    assert.match(logged, /"reason":"OAUTH_RESPONSE_BODY_ERROR invalid_grant /)
  })

  test('is rejected if it names another issuer', async () => {
    await signUp(server, 'mixed-up')
    const { browser, callback } = await beforeCallback('mixed-up')
    callback.searchParams.set('iss', 'https://evil.example')
    assert.equal((await browser.open(callback.href)).status, 401)
  })

  test('is not reached by a sign-in that took too long, which has to start again', async () => {
    await signUp(server, 'slow')
    const browser = openBrowser()
    const page = await browser.open(`${server.url}/auth/login`)
    server.clock.advance({ minutes: 16 })
    const late = await browser.submit(page, { login: 'slow', password })
    assert.equal(late.status, 401)
    assert.match(late.text, /href="[^"]*\/auth\/login">Sign in again/)
  })

  test('is rejected if the password was changed since it was entered, even in the same millisecond', async () => {
    for (const seconds of [0, 1]) {
      using _frozen = server.clock.freeze()
      const person = await signUp(server, `overtaken-${seconds}`)
      const { browser, callback } = await beforeCallback(person.username)
      server.clock.advance({ seconds })
      await server.client(person.accessToken).changePassword({
        params: { id: person.id },
        body: { password: 'another good one', currentPassword: password },
      })
      assert.equal((await browser.open(callback.href)).status, 401)
    }
  })

  test('is rejected if the password changes while the session is being opened', async () => {
    const person = await signUp(server, 'racing')
    const { browser, callback } = await beforeCallback('racing')
    const answer = await duringPasswordChange(server, person.id, () => browser.open(callback.href))
    assert.equal(answer.status, 401)
  })
})
