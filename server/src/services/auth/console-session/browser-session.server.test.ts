import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { consoleHeaders, signInBy } from '../../../../test/browser.ts'
import { askWhoIAm, sessionCookie, signedInByBrowser } from '../../../../test/console-sessions.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { password, signUp } from '../../../../test/people.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

describe('a call with the session cookie', () => {
  test('is accepted only with the console header, from the server’s own origin', async () => {
    const { browser } = await signedInByBrowser(server, 'caller')
    const proof = { 'x-millseal-console': '1' }
    for (const [headers, why] of [
      [{}, 'no header'],
      [{ 'x-millseal-console': '0' }, 'another header'],
      [{ ...proof, 'sec-fetch-site': 'cross-site' }, 'another site'],
      [{ ...proof, 'sec-fetch-site': 'same-site' }, 'a sibling host'],
      [{ ...proof, origin: 'https://evil.example' }, 'another origin'],
      [{ ...proof, origin: 'null' }, 'a hidden origin'],
      [{ ...proof, origin: server.url.replace('http:', 'https:') }, 'another scheme'],
      [{ ...proof, authorization: 'Basic x' }, 'other credentials'],
    ] as const) {
      assert.equal((await askWhoIAm(server, browser, headers)).status, 401, why)
    }
    assert.equal((await askWhoIAm(server, browser, { ...proof, 'sec-fetch-site': 'none' })).status, 200)
    assert.equal((await askWhoIAm(server, browser, { ...proof, origin: server.url })).status, 200)
  })

  test('must name its origin if it changes something', async () => {
    const { browser } = await signedInByBrowser(server, 'changer')
    const end = (headers: Record<string, string>) =>
      browser.call(`${server.url}/api/auth/logout`, { method: 'POST', headers })
    assert.equal((await end(consoleHeaders)).status, 401)
    assert.equal((await end({ ...consoleHeaders, origin: 'https://evil.example' })).status, 401)
    assert.equal((await askWhoIAm(server, browser)).status, 200)
    assert.equal((await end({ ...consoleHeaders, origin: server.url })).status, 200)
  })

  test('cannot be made by another site, whose preflight gets no permission to send the header', async () => {
    const answer = await fetch(`${server.url}/api/users/me`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-millseal-console',
      },
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal(answer.headers.get('access-control-allow-headers'), null)
  })

  test('is rejected if it also has an invalid token', async () => {
    const { browser } = await signedInByBrowser(server, 'bearer')
    const answer = await askWhoIAm(server, browser, { ...consoleHeaders, authorization: 'Bearer stale' })
    assert.equal(answer.status, 401)
  })
})

describe('the session of a browser', () => {
  test('is listed, and ends when the person signs out', async () => {
    const { person, browser } = await signedInByBrowser(server, 'leaver')
    const client = server.client(person.accessToken)
    const listed = await client.listSessions()
    assert.equal(listed.length, 2)
    const answer = await browser.call(`${server.url}/api/auth/logout`, {
      method: 'POST',
      headers: { ...consoleHeaders, origin: server.url },
    })
    assert.equal(answer.status, 200)
    assert.equal(sessionCookie(browser), undefined)
    assert.equal((await client.listSessions()).length, 1)
    const page = await browser.open(`${server.url}/auth/login`)
    assert.match(page.text, /current-password/, 'no remaining cookie signs in again')
  })

  test('makes its cookie invalid when another session ends it', async () => {
    const { person, browser } = await signedInByBrowser(server, 'remote')
    const client = server.client(person.accessToken)
    const session = (await client.listSessions()).find(({ current }) => !current)
    await client.endSession({ params: { sessionId: session?.id ?? 'missing' } })
    assert.equal((await askWhoIAm(server, browser)).status, 401)
  })

  test('ends when the password is changed', async () => {
    const { person, browser } = await signedInByBrowser(server, 'changing')
    server.clock.advance({ seconds: 1 })
    await server.client(person.accessToken).changePassword({
      params: { id: person.id },
      body: { password: 'another good one', currentPassword: password },
    })
    assert.equal((await askWhoIAm(server, browser)).status, 401)
  })

  test('ends when it is unused, and after its maximum time', async () => {
    const { browser } = await signedInByBrowser(server, 'sleeper')
    server.clock.advance({ seconds: limits.consoleSession.idleSeconds - 60 })
    assert.equal((await askWhoIAm(server, browser)).status, 200)
    server.clock.advance({ seconds: limits.consoleSession.idleSeconds + 60 })
    assert.equal((await askWhoIAm(server, browser)).status, 401)

    const { browser: busy } = await signedInByBrowser(server, 'busy')
    const stepSeconds = limits.consoleSession.idleSeconds / 2
    for (let passed = stepSeconds; passed < limits.consoleSession.seconds; passed += stepSeconds) {
      server.clock.advance({ seconds: stepSeconds })
      assert.equal((await askWhoIAm(server, busy)).status, 200, `after ${passed} s`)
    }
    server.clock.advance({ seconds: stepSeconds })
    assert.equal((await askWhoIAm(server, busy)).status, 401)
  })

  test('continues under a new cookie if the same person signs in again, and ends if another person does', async () => {
    const { person, browser } = await signedInByBrowser(server, 'returning')
    await signUp(server, 'colleague')
    const client = server.client(person.accessToken)
    const earlier = await client.listSessions()
    const oldCookie = sessionCookie(browser)
    await signInBy(browser, server, { login: 'returning', password, query: 'again=1' })
    assert.deepEqual(
      (await client.listSessions()).map(({ id }) => id),
      earlier.map(({ id }) => id),
    )
    const stale = await fetch(`${server.url}/api/users/me`, {
      headers: { ...consoleHeaders, cookie: `millseal=${oldCookie}` },
    })
    assert.equal(stale.status, 401)
    assert.equal((await askWhoIAm(server, browser)).status, 200)
    await signInBy(browser, server, { login: 'colleague', password, query: 'again=1' })
    assert.equal((await client.listSessions()).length, earlier.length - 1)
  })
})

describe('the calls of a person', () => {
  test('are counted apart for the console, which makes more of them', async () => {
    const limited = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '2' } })
    try {
      const { browser } = await signedInByBrowser(limited, 'counted')
      for (let call = 0; call < 5; call += 1) {
        const answer = await askWhoIAm(limited, browser)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('x-ratelimit-limit'), String(limits.consoleCallsPerMinute))
      }
    } finally {
      await limited[Symbol.asyncDispose]()
    }
  })
})
