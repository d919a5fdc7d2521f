import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openBrowser, type Page, signInBy } from '../../../test/browser.ts'
import { signedInByBrowser } from '../../../test/console-sessions.ts'
import { password, signUp } from '../../../test/people.ts'
import { assertRefused } from '../../../test/refusal.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_OPERATOR_NAME: 'Nordhütte <b> GmbH' } })
})
after(() => server[Symbol.asyncDispose]())

const open = (path: string) => openBrowser().open(`${server.url}${path}`)
const as = (headers: Record<string, string>, path = '/') =>
  fetch(`${server.url}${path}`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
const languageOf = async (response: Response) => /<html lang="(..)">/.exec(await response.text())?.[1]
const alerts = ({ text }: Page) =>
  [...text.matchAll(/role="alert">([^<]+)/g)].map(([, words]) => words?.trim())

describe('the home page', () => {
  test('leads people without a session to verification, sign-in and registration', async () => {
    const { status, text } = await open('/')
    assert.equal(status, 200)
    for (const path of [
      '/verify',
      '/auth/login?return_to=%2Fconsole%2F',
      '/register',
      '/docs/api',
      '/openapi.json',
    ])
      assert.ok(text.includes(`href="${path}"`), path)
    assert.match(text, /Operated by Nordhütte &lt;b&gt; GmbH\./)
    const scripts = [...text.matchAll(/<script[^>]*>[^]*?<\/script>/g)].map(([script]) => script)
    assert.equal(scripts.length, 1)
    assert.match(
      scripts.join(),
      /^<script type="module" src="\/verify\/millseal-verify\.js\?v=\w+"><\/script>$/,
    )
  })

  test('puts verifying first, then signing in, then what Millseal is, in both languages', async () => {
    for (const [language, ...order] of [
      ['en', 'Is this certificate genuine?', '<millseal-verify', 'Sign in', 'a ledger to which entries'],
      ['de', 'Ist dieses Zeugnis echt?', '<millseal-verify', 'Anmelden', 'Ledger ein, dem sich nur'],
    ] as const) {
      const text = await (await as({ 'accept-language': language })).text()
      const places = order.map((words) => text.indexOf(words))
      assert.ok(!places.includes(-1), places.join())
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      )
    }
  })

  test('is the console for a browser with a session', async () => {
    const { browser } = await signedInByBrowser(server, 'at-home')
    const page = await browser.open(`${server.url}/`)
    assert.equal(page.url.pathname, '/console/')
    assert.equal(page.status, 200)
  })

  test('offers no registration if people sign in at an external issuer', async () => {
    await using other = await startOwnServer({
      environment: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'any' },
    })
    const { text } = await openBrowser().open(other.url)
    assert.doesNotMatch(text, /href="\/register"/)
    assert.doesNotMatch(text, /Operated by/)
  })
})

describe('the language of a page', () => {
  test('is the one the browser prefers, if we have it', async () => {
    for (const [header, expected] of [
      ['de', 'de'],
      ['de-AT,en;q=0.8', 'de'],
      ['en-GB,de;q=0.9', 'en'],
      ['fr,de;q=0.7,en;q=0.3', 'de'],
      ['en;q=0.2,de;q=0.8', 'de'],
      ['de;q=0,en', 'en'],
      ['fr', 'en'],
      ['*', 'en'],
      [';;q=x,,', 'en'],
      ['', 'en'],
    ] as const)
      assert.equal(await languageOf(await as({ 'accept-language': header })), expected, header)
  })

  test('is changed by a link that leads back to the same page, and is kept', async () => {
    const browser = openBrowser()
    const page = await browser.open(`${server.url}/register`)
    const link = /href="(\?language=\w+)"/.exec(page.text)?.[1] ?? ''
    const german = await browser.open(new URL(link, page.url).href)
    assert.equal(german.url.href, `${server.url}/register`)
    assert.match(german.text, /<html lang="de">/)
    assert.match((await browser.open(`${server.url}/no-such-page`)).text, /Diese Seite gibt es nicht/)
    const back = await browser.open(`${server.url}/no-such-page?language=en`)
    assert.match(back.text, /There is no such page/)
  })

  test('cannot be used to lead to another host, and means nothing to the API', async () => {
    for (const path of ['//evil.example/', '/\\evil.example/', '///evil.example'])
      assert.match((await as({}, `${path}?language=de`)).headers.get('location') ?? '', /^\/(?![/\\])/, path)
    const api = await as({}, '/api/health?language=de')
    assert.equal(api.headers.get('set-cookie'), null)
    assert.equal((await as({}, '/?language=xx')).headers.get('set-cookie'), null)
  })
})

describe('registering in a browser', () => {
  test('leads from the form over the mail to the console', async () => {
    const browser = openBrowser()
    const email = 'first-user@example.com'
    const form = await browser.open(`${server.url}/register`)
    const sent = await browser.submit(form, { username: 'first-user', email, password })
    assert.equal(sent.url.pathname, '/register/sent')
    assert.match(sent.text, /saves its mails as files/)
    const [mail = ''] = await server.mailsTo(email, 1)
    const link = linkIn(mail)
    assert.equal(link.pathname, '/confirm-email')
    const welcome = await browser.open(link.href)
    assert.equal(welcome.url.href, `${server.url}/welcome`)
    assert.match(welcome.text, /href="\/auth\/login\?return_to=%2Fconsole%2F"/)
    const query = 'return_to=%2Fconsole%2F'
    const signedIn = await signInBy(browser, server, { login: email, password, query })
    assert.equal(signedIn.url.pathname, '/console/')
  })

  test('shows what is wrong beside each field, keeps what was typed but not the password', async () => {
    const browser = openBrowser()
    const form = await browser.open(`${server.url}/register?language=de`)
    const typed = { username: 'a"b', email: 'nobody', password: 'short' }
    const wrong = await browser.submit(form, typed)
    assert.equal(wrong.status, 400)
    assert.deepEqual(alerts(wrong), [
      '4 bis 64 Buchstaben, Ziffern und . _ - +.',
      'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.de.',
      '8 bis 256 Zeichen.',
    ])
    assert.match(wrong.text, /value="a&quot;b"/)
    assert.doesNotMatch(wrong.text, /short/)
    const weak = { username: 'weak-user', email: 'weak-user@example.com', password: 'weak-user' }
    const refused = await browser.submit(wrong, weak)
    assert.equal(refused.status, 406)
    assert.match(alerts(refused)[0] ?? '', /mindestens 4 verschiedene Zeichen/)
    await assertRefused(server.client().login({ body: weak }), 'credentials_wrong')
  })

  test('tells no more about existing accounts than the API', async () => {
    const { email } = await signUp(server, 'existing')
    const browser = openBrowser()
    const form = await browser.open(`${server.url}/register`)
    const answers = [
      await browser.submit(form, { username: 'another-name', email, password }),
      await browser.submit(form, { username: 'existing', email: 'another@example.com', password }),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 409)
      assert.deepEqual(alerts(answer), ['This user name or this e-mail address already has an account.'])
    }
    for (const path of ['/forgot-password', '/resend-confirmation']) {
      const page = await browser.open(`${server.url}${path}`)
      const known = await browser.submit(page, { email })
      const unknown = await browser.submit(page, { email: 'unknown@example.com' })
      assert.equal(known.url.pathname, `${path}/sent`)
      assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
      const wrong = await browser.submit(page, { email: 'nobody' })
      assert.equal(wrong.status, 400)
      assert.match(alerts(wrong)[0] ?? '', /Enter an e-mail address/)
    }
  })

  test('shares the limit of the API', async () => {
    await using limited = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '1000' } })
    const browser = openBrowser()
    const form = await browser.open(`${limited.url}/register`)
    const body = { username: 'x', email: 'x', password: 'x' }
    for (let attempt = 0; attempt < 4; attempt += 1)
      assert.equal((await browser.submit(form, body)).status, 400)
    await assertRefused(limited.client().registerUser({ body }), 'validation_failed')
    const refused = await browser.submit(form, body)
    assert.equal(refused.status, 429)
    assert.match(refused.text, /Too many attempts\. Please try again in \d+ seconds/)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })
})

describe('the links in mails about an account', () => {
  test('lead to pages, which send a new link if the old one has expired', async () => {
    const email = 'late-user@example.com'
    await server.client().registerUser({ body: { username: 'late-user', email, password } })
    const [mail = ''] = await server.mailsTo(email, 1)
    server.clock.advance({ minutes: 25 * 60 })
    const browser = openBrowser()
    const expired = await browser.open(linkIn(mail).href)
    assert.equal(expired.status, 401)
    assert.match(expired.text, /This link is no longer valid/)
    assert.match(expired.text, /<form method="post" action="\/resend-confirmation">/)
    assert.ok(expired.text.includes(expired.headers.get('x-request-id') ?? 'missing'))
    await browser.submit(expired, { email })
    const [, again = ''] = await server.mailsTo(email, 2)
    assert.equal((await browser.open(linkIn(again).href)).url.pathname, '/welcome')
  })

  test('answer a client in JSON', async () => {
    const answer = await fetch(`${server.url}/confirm-email?token=${'x'.repeat(43)}`)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('x-error'), 'link_invalid')
    assert.equal(((await answer.json()) as { statusCode: number }).statusCode, 401)
  })

  test('of a security notice lead to a new password', async () => {
    const person = await signUp(server, 'noticed')
    await server.client(person.accessToken).changePassword({
      params: { id: person.id },
      body: { password: 'another horse battery', currentPassword: password },
    })
    const [notice = ''] = await server.mailsTo(person.email, 1, /password was changed/)
    assert.equal(linkIn(notice).href, `${server.url}/forgot-password`)
  })
})

describe('the files that browsers and search engines expect', () => {
  test('exist: an icon, and rules that keep the console out of search engines', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const icon = await fetch(`${server.url}${path}`)
      assert.equal(icon.status, 200)
      assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
      assert.ok((await icon.text()).length < 1_000)
    }
    const robots = await (await fetch(`${server.url}/robots.txt`)).text()
    assert.match(robots, /^Disallow: \/console$/m)
  })
})
