import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openBrowser, type Page } from '../../../test/browser.ts'
import { password, signUp } from '../../../test/people.ts'
import { assertRefused } from '../../../test/refusal.ts'
import { linkIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const fresh = 'brand new horse battery'

const mailedLink = async (email: string): Promise<string> => {
  await server.client().requestPasswordReset({ params: { email } })
  const mail = (await server.mailsTo(email, 1, /Subject: Set a new password/)).at(-1) ?? ''
  return linkIn(mail).href
}

const assertSafe = ({ headers, text, url }: Page) => {
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /script-src|unsafe/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(text, /<form method="post" action="\/reset-password">/)
  assert.doesNotMatch(text, /<script/)
  assert.equal(url.search + url.hash, '', 'the token is not in the address')
}

describe('the page for resetting a password', () => {
  test('sets the password with the mailed link, without scripts, and keeps token and password out of the address', async () => {
    const person = await signUp(server, 'page-visitor')
    const browser = openBrowser()
    const link = await mailedLink(person.email)
    const page = await browser.open(link)
    assertSafe(page)
    const short = await browser.submit(page, { password: 'short' })
    assert.equal(short.status, 400)
    assert.match(short.text, /role="alert">8 to 256 characters/)
    assert.match(short.text, /aria-invalid="true"/)
    const weak = await browser.submit(short, { password: person.email })
    assert.equal(weak.status, 406)
    assert.match(weak.text, /role="alert">Choose a password/)
    assertSafe(weak)
    const done = await browser.submit(weak, { password: fresh })
    assert.equal(done.url.pathname, '/reset-password/done')
    assert.match(done.text, /Your new password is set/)
    assert.deepEqual(browser.cookies, [], 'the token is gone')
    const { username } = person
    await assertRefused(server.client().login({ body: { username, password } }), 'credentials_wrong')
    assert.ok(await server.client().login({ body: { username, password: fresh } }))
    for (const again of [await browser.submit(page, { password: fresh }), await browser.open(link)]) {
      assert.equal(again.status, 401)
      assert.match(again.text, /no longer valid/)
      assert.match(again.text, /<form method="post" action="\/forgot-password">/)
    }
  })

  test('accepts the form only from itself', async () => {
    const person = await signUp(server, 'sibling-prey')
    const browser = openBrowser()
    const page = await browser.open(await mailedLink(person.email))
    for (const [fields, headers, why] of [
      [{ proof: '' }, {}, 'no proof'],
      [{ proof: 'x'.repeat(43) }, {}, 'a proof of another link'],
      [{}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'another site'],
      [{}, { 'sec-fetch-site': 'same-site' }, 'a sibling host'],
    ] as const) {
      const refused = await browser.submit(page, { password: fresh, ...fields }, headers)
      assert.equal(refused.status, 400, why)
    }
    const other = await openBrowser().submit(page, { password: fresh })
    assert.equal(other.status, 401, 'a browser that has not opened the link')
    assert.ok(await server.client().login({ body: { username: person.username, password } }))
  })

  test('without the link says how to get one', async () => {
    const page = await openBrowser().open(`${server.url}/reset-password`)
    assert.equal(page.status, 401)
    assert.match(page.text, /opened it from the mail/)
    assert.match(page.text, /<form method="post" action="\/forgot-password">/)
  })

  test('answers a client in JSON', async () => {
    const answer = await fetch(`${server.url}/reset-password?token=${'x'.repeat(43)}`)
    assert.equal(answer.status, 401)
    assert.equal(((await answer.json()) as { name: string }).name, 'UnauthorizedException')
  })
})
