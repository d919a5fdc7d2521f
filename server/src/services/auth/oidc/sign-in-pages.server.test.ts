import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Browser, openBrowser, type Page, readForm } from '../../../../test/browser.ts'
import { atCallback, type ConsoleClient, openConsoleClient } from './console-client.suite.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { startOwnServer } from '../../../../test/test-server.ts'
import { password, signUp } from '../../../../test/people.ts'
import { deleteExpiredRecords } from './records.store.ts'

let provider: ConsoleClient
before(async () => {
  provider = await openConsoleClient()
})
after(() => provider[Symbol.asyncDispose]())

describe('a form of the sign-in pages', () => {
  const post = (
    page: Page,
    browser: Browser,
    body: Record<string, string>,
    headers: Record<string, string>,
  ) => browser.submit(page, body, headers)

  test('is accepted only from the server’s own page, with the proof for this sign-in and step', async () => {
    await signUp(provider.server, 'formal')
    const filled = { login: 'formal', password }
    const browser = openBrowser()
    const page = await provider.begin(browser)
    const foreign = readForm(await provider.begin(openBrowser())).hidden['proof'] ?? ''
    for (const [body, headers, why] of [
      [{ ...filled, proof: '' }, {}, 'no proof'],
      [{ ...filled, proof: foreign }, {}, 'a proof of another sign-in'],
      [filled, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'another site'],
      [filled, { origin: 'null' }, 'an origin that is hidden'],
      [filled, { 'sec-fetch-site': 'same-site' }, 'a sibling host'],
    ] as const) {
      const refused = await post(page, browser, body, headers)
      assert.equal(refused.status, 400, why)
      assert.match(refused.text, /did not come from our page/)
    }
    const { action, hidden } = readForm(page)
    const form = {
      method: 'POST',
      body: new URLSearchParams({ ...hidden, ...filled }),
      redirect: 'manual',
    } as const
    const origin = { origin: provider.server.url }
    assert.equal((await fetch(action, { ...form, headers: origin })).status, 401, 'without the cookie')
    const elsewhere = new URL(action.pathname.replace(/[\w-]{43}/, 'x'.repeat(43)), provider.server.url)
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const mistaken = await fetch(elsewhere, { ...form, headers: { ...origin, cookie } })
    assert.equal(mistaken.status, 401, 'at the address of another sign-in')
    const unsigned = cookie.replace(/(\.sig=)[^;]+/, '$1AAAAAAAAAAAAAAAAAAAAAAAAAAA')
    assert.equal((await fetch(action, { ...form, headers: { ...origin, cookie: unsigned } })).status, 401)
    assert.equal((await browser.submit(page, filled, {}, atCallback)).url.pathname, '/auth/callback')
  })

  test('is accepted only in the browser that the console sent, even with planted cookies of another sign-in', async () => {
    await signUp(provider.server, 'prey')
    const attacker = openBrowser()
    const page = await provider.begin(attacker)
    const { action, hidden } = readForm(page)
    const victim = openBrowser()
    await provider.begin(victim)
    const isInteraction = ({ name }: { name: string }) => name.includes('interaction')
    const cookies = [
      ...attacker.cookies.filter(isInteraction),
      ...victim.cookies.filter((cookie) => !isInteraction(cookie)),
    ]
    const headers = {
      origin: provider.server.url,
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    }
    const shown = await fetch(page.url, { headers, redirect: 'manual' })
    const sent = await fetch(action, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...hidden, login: 'prey', password }),
      redirect: 'manual',
    })
    assert.deepEqual([shown.status, sent.status], [401, 401])
    const reaped = await attacker.open(`${provider.server.url}/oidc/auth/${page.url.pathname.split('/')[3]}`)
    assert.match(reaped.text, /current-password/)
  })
})

describe('the database', () => {
  test('contains no code, cookie, verifier or secret that could sign anyone in', async () => {
    await signUp(provider.server, 'careless')
    const browser = openBrowser()
    const callback = await provider.callbackFor('careless', browser)
    const open = openBrowser()
    await open.open(`${provider.server.url}/auth/login`)
    const secrets = [
      provider.clientSecret,
      password,
      callback.searchParams.get('code') ?? 'missing',
      ...[...browser.cookies, ...open.cookies].map(({ value }) => value),
      ...[...open.cookies].map(({ value }) => createHash('sha256').update(value).digest('base64url')),
    ]
    const dump = [...(await dumpOf(provider.server)).values()].join('\n')
    assert.ok(dump.length > 1_000)
    for (const secret of secrets) {
      assert.ok(secret.length > 10)
      assert.ok(!dump.includes(secret), secret)
      assert.ok(!dump.includes(Buffer.from(secret).toString('hex')), secret)
    }
    for (const secret of secrets) assert.ok(!provider.server.log.join('').includes(secret), secret)
  })

  test('contains no record of the provider that has expired', async () => {
    await openBrowser().open(provider.authorizationUrl())
    await using database = provider.openDatabase()
    const count = async () =>
      (await dumpOf(provider.server)).get('public.oidc_records')?.split('\n').filter(Boolean).length
    assert.ok(((await count()) ?? 0) > 0)
    await deleteExpiredRecords(database.query, new Date(provider.server.clock.now() + 20 * 60_000))
    assert.equal(await count(), 0)
  })
})

describe('guessing passwords', () => {
  test('is limited to 5 attempts a minute and client, on the page and by the API together', async () => {
    await using limited = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '1000' } })
    const browser = openBrowser()
    let page = await browser.open(`${limited.url}/auth/login`)
    for (let attempt = 0; attempt < 4; attempt += 1) {
      page = await browser.submit(page, { login: 'anybody', password: `guess ${attempt}` })
      assert.equal(page.status, 401)
    }
    const byApi = await fetch(`${limited.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'anybody', password: 'another guess' }),
    })
    assert.equal(byApi.status, 401)
    const refused = await browser.submit(page, { login: 'anybody', password: 'one too many' })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.match(refused.text, /Too many attempts/)
    limited.clock.advance({ minutes: 1 })
    assert.equal((await browser.submit(page, { login: 'anybody', password: 'later' })).status, 401)
  })
})
