import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Browser, openBrowser, type Page } from '../../../../test/browser.ts'
import { atCallback, type ConsoleClient, openConsoleClient } from './console-client.suite.ts'
import { enableMfa, password, signUp } from '../../../../test/people.ts'

let provider: ConsoleClient
before(async () => {
  provider = await openConsoleClient()
})
after(() => provider[Symbol.asyncDispose]())

describe('the built-in provider', () => {
  test('offers one flow, and only its addresses', async () => {
    const answer = await fetch(`${provider.server.url}/oidc/.well-known/openid-configuration`)
    const metadata = (await answer.json()) as Record<string, unknown>
    assert.equal(metadata['issuer'], `${provider.server.url}/oidc`)
    assert.deepEqual(metadata['response_types_supported'], ['code'])
    assert.deepEqual(metadata['grant_types_supported'], ['authorization_code'])
    assert.deepEqual(metadata['code_challenge_methods_supported'], ['S256'])
    assert.deepEqual(metadata['id_token_signing_alg_values_supported'], ['EdDSA'])
    assert.equal(metadata['authorization_response_iss_parameter_supported'], true)
    assert.deepEqual(
      Object.keys(metadata)
        .filter((name) => name.endsWith('_endpoint'))
        .toSorted(),
      ['authorization_endpoint', 'token_endpoint'],
    )
    for (const path of [
      'reg',
      'me',
      'token/introspection',
      'token/revocation',
      'request',
      'device',
      'session/end',
    ]) {
      for (const method of ['GET', 'POST']) {
        assert.equal((await fetch(`${provider.server.url}/oidc/${path}`, { method })).status, 404, path)
      }
    }
    const { keys } = (await (await fetch(`${provider.server.url}/oidc/jwks`)).json()) as { keys: object[] }
    assert.equal(keys.length, 1)
    assert.ok(keys.every((key) => !('d' in key)))
  })

  test('derives its address from the public address, not from headers of a request', async () => {
    const metadata = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(provider.server.url)
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }
      request({ port, path: '/oidc/.well-known/openid-configuration', headers }, (response) => {
        response.setEncoding('utf8').once('data', resolve)
      })
        .once('error', reject)
        .end()
    })
    assert.ok(!metadata.includes('evil'))
  })

  test('shows an error page of its own if it must not redirect', async () => {
    for (const changes of [
      { redirect_uri: `${provider.server.url}/auth/callback/` },
      { redirect_uri: `${provider.server.url}/auth/callback?x=1` },
      { redirect_uri: 'https://evil.example/auth/callback' },
      { redirect_uri: undefined },
      { client_id: 'somebody' },
    ]) {
      const page = await openBrowser().open(provider.authorizationUrl(changes))
      assert.equal(page.status, 400, JSON.stringify(changes))
      assert.equal(page.trail.length, 1)
      assert.match(page.text, /Signing in did not work/)
      assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/)
    }
  })

  test('reports unsupported requests to the console: no PKCE, plain PKCE, tokens in the address', async () => {
    for (const [changes, error] of [
      [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: provider.verifier, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ response_type: 'id_token' }, 'unsupported_response_type'],
      [{ response_type: 'code id_token' }, 'unsupported_response_type'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
      [{ prompt: 'none' }, 'login_required'],
    ] as const) {
      const page = await openBrowser().open(provider.authorizationUrl(changes), {
        stopAt: (url) => url.pathname === '/auth/callback',
      })
      const parameters = new URLSearchParams(page.url.search || page.url.hash.slice(1))
      assert.equal(parameters.get('error'), error, `${JSON.stringify(changes)}: ${page.text}`)
    }
  })

  test('asks for the password every time, and lets two persons sign in one after the other', async () => {
    await signUp(provider.server, 'first-one')
    await signUp(provider.server, 'second-one')
    const browser = openBrowser()
    assert.ok((await provider.callbackFor('first-one', browser)).searchParams.has('code'))
    assert.match((await provider.begin(browser)).text, /current-password/)
    assert.match(
      (
        await browser.open(
          (await provider.begin(browser)).trail[0]?.replace('/oidc/auth?', '/oidc/auth/?') ?? '',
        )
      ).text,
      /current-password/,
    )
    assert.ok((await provider.callbackFor('second-one', browser)).searchParams.has('code'))
  })

  test('asks again for prompt=login and max_age, and says when and how the person signed in', async () => {
    const person = await signUp(provider.server, 'timed')
    const nextCode = await enableMfa(provider.server, person)
    const requests: readonly Record<string, string>[] = [
      { prompt: 'login' },
      { max_age: '0' },
      { max_age: '60', prompt: 'login' },
    ]
    for (const changes of requests) {
      const browser = openBrowser()
      const asked = await provider.begin(browser, changes)
      assert.match(asked.text, /current-password/)
      const atSeconds = provider.server.clock.now() / 1_000
      const next = await browser.submit(asked, { login: 'timed', password })
      const { url } = await browser.submit(next, { code: nextCode() }, {}, atCallback)
      const answer = await provider.redeem(url.searchParams.get('code') ?? '')
      const { id_token: token } = (await answer.json()) as { id_token: string }
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
        amr: string[]
        acr: string
        auth_time: number
      }
      assert.deepEqual([claims.amr, claims.acr], [['pwd', 'otp', 'mfa'], '2fa'])
      assert.ok(Math.abs(claims.auth_time - atSeconds) < 60, JSON.stringify({ claims, atSeconds }))
    }
  })

  test('asks for consent if requested, and accepts a refusal', async () => {
    await signUp(provider.server, 'consenter')
    const consentFor = async (browser: Browser): Promise<Page> =>
      browser.submit(await provider.begin(browser, { prompt: 'consent' }), {
        login: 'consenter',
        password,
      })
    const browser = openBrowser()
    const first = await consentFor(browser)
    assert.match(first.text, /Continue to the console/)
    assert.ok(browser.cookies.some(({ name }) => name === 'millseal-oidc'))
    const bystander = await provider.begin(browser)
    assert.match(bystander.text, /current-password/, 'the password was given for the other request only')
    const page = await consentFor(browser)
    const agreed = await browser.submit(page, { decision: 'continue' }, {}, atCallback)
    assert.ok(agreed.url.searchParams.has('code'), agreed.url.href)
    const other = openBrowser()
    const cancelled = await other.submit(await consentFor(other), { decision: 'cancel' }, {}, atCallback)
    assert.equal(cancelled.url.searchParams.get('error'), 'access_denied')
  })
})

describe('a code of the built-in provider', () => {
  test('can be redeemed once, by the console only, with the verifier and address of its request', async () => {
    await signUp(provider.server, 'coder')
    const code = (await provider.callbackFor('coder')).searchParams.get('code') ?? ''
    assert.equal((await provider.redeem(code, {}, 'a wrong secret')).status, 401)
    assert.equal(
      (await provider.redeem(code, { code_verifier: randomBytes(32).toString('base64url') })).status,
      400,
    )
    assert.equal((await provider.redeem(code, { code_verifier: '' })).status, 400)
    assert.equal((await provider.redeem(code, { redirect_uri: 'https://evil.example/' })).status, 400)
    assert.equal((await provider.redeem(code)).status, 200)
    const again = await provider.redeem(code)
    assert.equal(again.status, 400)
    assert.equal(((await again.json()) as { error: string }).error, 'invalid_grant')
  })

  test('ends the tokens of its first use if it comes back', async () => {
    await signUp(provider.server, 'robbed')
    await using database = provider.openDatabase()
    const grants = async (): Promise<string[]> => {
      const rows = await database.query.selectFrom('oidcRecords').select('grantHash').execute()
      return rows.flatMap(({ grantHash }) => (grantHash === null ? [] : [grantHash.toString()]))
    }
    const others = new Set(await grants())
    const code = (await provider.callbackFor('robbed')).searchParams.get('code') ?? ''
    assert.equal((await provider.redeem(code)).status, 200)
    const own = async () => (await grants()).filter((grant) => !others.has(grant))
    assert.ok((await own()).length > 0)
    assert.equal((await provider.redeem(code)).status, 400)
    assert.deepEqual(await own(), [])
  })

  test('returns tokens once if it is redeemed ten times at once', async () => {
    await signUp(provider.server, 'racer')
    const code = (await provider.callbackFor('racer')).searchParams.get('code') ?? ''
    const answers = await Promise.all(Array.from({ length: 10 }, () => provider.redeem(code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('is valid for a minute', async () => {
    await signUp(provider.server, 'dawdler')
    const code = (await provider.callbackFor('dawdler')).searchParams.get('code') ?? ''
    provider.server.clock.advance({ seconds: 61 })
    assert.equal((await provider.redeem(code)).status, 400)
  })

  test('returns tokens that the API does not accept', async () => {
    await signUp(provider.server, 'confused')
    const code = (await provider.callbackFor('confused')).searchParams.get('code') ?? ''
    const tokens = (await (await provider.redeem(code)).json()) as { id_token: string; access_token: string }
    const [head = '', claims = ''] = tokens.id_token.split('.')
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    assert.equal(read(head)['alg'], 'EdDSA')
    assert.deepEqual([read(claims)['amr'], read(claims)['acr']], [['pwd'], '1fa'])
    assert.deepEqual(Object.keys(read(claims)).toSorted(), [
      'acr',
      'amr',
      'aud',
      'auth_time',
      'exp',
      'iat',
      'iss',
      'nonce',
      'sub',
    ])
    for (const token of [tokens.id_token, tokens.access_token]) {
      const answer = await fetch(`${provider.server.url}/api/users/me`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.status, 401)
    }
  })
})
