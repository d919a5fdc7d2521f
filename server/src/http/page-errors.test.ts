import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errors } from '@millseal/contract'
import { germanErrors } from '@millseal/contract/errors-de'
import { openPlumbing, type Plumbing } from '../../test/plumbing.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { Problem } from '../lib/problem.ts'
import { DatabaseUnavailable } from '../ports/database/database.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const german = { ...html, 'accept-language': 'de' }

let plumbing: Plumbing
let server: TestServer
before(async () => {
  plumbing = await openPlumbing([], {}, (pages) => {
    for (const [path, error] of [
      ['/bug', new TypeError('the secret detail')],
      ['/down', new DatabaseUnavailable('the secret detail')],
      ['/busy', new Problem('rate_limited', { retryAfterSeconds: 7 })],
    ] as const)
      pages.get(path, async () => {
        throw error
      })
  })
  server = await startTestServer()
})
after(async () => {
  await plumbing[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const get = async (url: string, headers: Record<string, string>, method = 'GET') => {
  const response = await fetch(url, { headers, method, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('an error', () => {
  test('is a page to a browser: what happened, what to do, and the number of the request', async () => {
    for (const [path, status, english, deutsch] of [
      ['/bug', 500, /Something went wrong on the server.*Try again/s, /schiefgegangen.*noch einmal/s],
      ['/down', 503, /does not work right now.*Try again/s, /geht gerade nicht.*noch einmal/s],
      ['/busy', 429, /Too many attempts.*in 7 seconds/s, /Zu viele Versuche.*in 7 Sekunden/s],
      ['/no-such-page', 404, /no such page.*home page/s, /Diese Seite gibt es nicht.*Startseite/s],
      ['/%', 400, /The URL is not well-formed\./, /nicht richtig geschrieben\./],
    ] as const) {
      const page = await get(`${plumbing.url}${path}`, html)
      assert.equal(page.status, status, path)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.text, english)
      assert.ok(page.text.includes(page.headers.get('x-request-id') ?? 'missing'))
      assert.doesNotMatch(page.text, /secret detail/)
      assert.match((await get(`${plumbing.url}${path}`, german)).text, deutsch)
    }
    assert.equal((await get(`${plumbing.url}/busy`, html)).headers.get('retry-after'), '7')
  })

  test('is JSON to a client, below /api and to the console', async () => {
    for (const [path, headers] of [
      ['/no-such-page', {}],
      ['/no-such-page', { accept: 'application/json' }],
      ['/api/no-such-page', html],
      ['/api', html],
      ['/api/user-service/no-such-page', html],
      ['/user-service/no-such-page', html],
      ['/no-such-page', { ...html, 'x-millseal-console': '1' }],
      ['/api/%', html],
    ] as const) {
      const answer = await get(`${plumbing.url}${path}`, headers)
      assert.match(answer.text, /^\{/, path)
      const body = JSON.parse(answer.text) as { statusCode: number; path: string }
      assert.equal(body.statusCode, answer.status, path)
      assert.equal(body.path, path)
    }
  })

  test('of an operation is JSON at every address', async () => {
    for (const path of ['/users/me', '/api/users/me'])
      assert.equal(JSON.parse((await get(`${server.url}${path}`, html)).text).statusCode, 401)
  })

  test('of a sign-in is a page that starts again, in the language of the person', async () => {
    for (const path of [
      '/auth/callback?code=x&state=y',
      `/oidc/interaction/${'x'.repeat(43)}`,
      '/oidc/auth',
    ]) {
      const page = await get(`${server.url}${path}`, german)
      assert.ok([400, 401].includes(page.status), `${path} ${page.status}`)
      assert.match(page.text, /Die Anmeldung hat nicht geklappt/)
      assert.match(page.text, /href="[^"]*\/auth\/login"[^>]*>Neu anmelden/)
    }
  })

  test('of a mailed or printed link is a page that leads on, and JSON to a client', async () => {
    const token = 'x'.repeat(43)
    for (const path of [
      `/confirm-email?token=${token}`,
      `/reset-password?token=${token}`,
      `/unlock-sign-in?token=${token}`,
      `/invitation?token=${token}`,
      `/unsubscribe/${token}`,
      `/files/${token}`,
      `/files/${token}/pdf`,
      '/v/not-a-code',
    ]) {
      const opened = await fetch(`${server.url}${path}`, { headers: german })
      const page = await opened.text()
      assert.ok(opened.status >= 400 && opened.status < 500, `${path} ${opened.status}`)
      assert.match(page, /<html lang="de"[^]*<h1>[^]*<(?:a|form) /, path)
      const answer = await get(`${server.url}${path}`, { accept: 'application/json' })
      assert.match(answer.text, /^\{/, path)
      const body = JSON.parse(answer.text) as { statusCode: number; message: string }
      assert.deepEqual([body.statusCode, typeof body.message], [answer.status, 'string'], path)
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`)
    }
  })

  test('of a page that is sent with another method is a page', async () => {
    const page = await get(`${server.url}/welcome`, html, 'POST')
    assert.equal(page.status, 405)
    assert.match(page.text, /does not have this method/)
  })
})

describe('the German sentences', () => {
  test('are complete and have neither a full stop nor English words of the API', () => {
    assert.deepEqual(Object.keys(germanErrors).toSorted(), Object.keys(errors).toSorted())
    for (const sentence of Object.values(germanErrors)) {
      assert.match(sentence, /^[A-ZÄÖÜ].*[^.]$/)
      assert.doesNotMatch(sentence, /\b(?:the|and|is|must|token has)\b/)
    }
  })
})
