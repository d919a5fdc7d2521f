import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createContext, Script } from 'node:vm'
import { linkIn, startTestServer, type TestServer } from '../../test/test-server.ts'
import { password, signUp } from '../../test/people.ts'
import { assertRefused } from '../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

type Element = {
  value: string
  textContent: string
  hidden: boolean
  disabled: boolean
  setAttribute: () => void
  addEventListener: (kind: string, listener: (event: object) => Promise<void>) => void
}

/** Provides the few browser objects the script uses. Its requests go to the real server. */
const openPage = async (hash: string) => {
  const text = await (await fetch(`${server.url}/reset-password/form.js`)).text()
  let submit: ((event: object) => Promise<void>) | undefined
  const element = (hidden: boolean): Element => ({
    value: '',
    textContent: '',
    hidden,
    disabled: true,
    setAttribute: () => {},
    addEventListener: (_kind, listener) => {
      submit = listener
    },
  })
  const elements: Record<string, Element> = {
    form: element(false),
    '#password': element(false),
    '#problem': element(true),
    button: element(false),
    '#done': element(true),
  }
  const visited: string[] = []
  const context = createContext({
    document: { querySelector: (selector: string) => elements[selector] },
    location: { hash, pathname: '/reset-password' },
    history: { replaceState: (_state: unknown, _title: string, url: string) => void visited.push(url) },
    URLSearchParams,
    encodeURIComponent,
    fetch: (path: string, init: RequestInit) => fetch(`${server.url}${path}`, init),
  })
  new Script(text).runInContext(context)
  const send = async (typed: string) => {
    Object.assign(elements['#password'] ?? {}, { value: typed })
    await submit?.({ preventDefault: () => {} })
  }
  return { elements, visited, send }
}

const resetToken = async (email: string): Promise<string> => {
  await server.client().requestPasswordReset({ params: { email } })
  const [, mail = ''] = await server.mailsTo(email, 2)
  const response = await fetch(linkIn(mail), { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '').hash
}

describe('the page for resetting a password', () => {
  test('loads nothing from other origins, runs only its own script and never sends a password in a URL', async () => {
    const response = await fetch(`${server.url}/reset-password`)
    assert.equal(response.status, 200)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const text = await response.text()
    assert.match(text, /<form method="post">/)
    assert.doesNotMatch(text, /<input[^>]*name=/, 'without the script, the form has nothing to send')
    assert.match(text, /<script src="\/reset-password\/form.js" defer>/)
  })

  test('sets the password with the token in the fragment, which it removes from the URL', async () => {
    const person = await signUp(server, 'page-visitor')
    const page = await openPage(await resetToken(person.email))
    assert.deepEqual(page.visited, ['/reset-password'])
    assert.equal(page.elements['button']?.disabled, false)
    await page.send('short')
    assert.equal(page.elements['#problem']?.hidden, false)
    assert.match(page.elements['#problem']?.textContent ?? '', /password/)
    await page.send('brand new horse battery')
    assert.equal(page.elements['#done']?.hidden, false)
    assert.equal(page.elements['form']?.hidden, true)
    const { username } = person
    await assertRefused(server.client().login({ body: { username, password } }), 'credentials_wrong')
    assert.ok(await server.client().login({ body: { username, password: 'brand new horse battery' } }))
    await page.send('brand new horse battery')
    assert.match(page.elements['#problem']?.textContent ?? '', /no longer valid/)
  })

  test('without a token says how to get one', async () => {
    const page = await openPage('')
    assert.match(page.elements['#problem']?.textContent ?? '', /link in the e-mail/)
    assert.equal(page.elements['button']?.disabled, true)
  })
})
