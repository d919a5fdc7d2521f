import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const open = (path: string, accept = browser): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: { accept } })

const code = 'AAECAwQFBgcICQoLDA0ODw'
const malformed = [
  code.slice(1),
  `${code}A`,
  `${code.slice(1)}x`,
  `${code.slice(1)}%3Cb%3E`,
  'a'.repeat(1_900),
]

describe('the page of a printed code', () => {
  test('is the page that verifies files, with the code to look up, under the same rules', async () => {
    for (const path of [`/v/${code}`, `/v/${code}/`]) {
      const response = await open(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = response.headers.get('content-security-policy')
      assert.equal(policy, (await open('/verify')).headers.get('content-security-policy'))
      assert.match(policy ?? '', /^default-src 'none'; .*; script-src 'self'; connect-src 'self'$/)
      const text = await response.text()
      assert.match(text, new RegExp(`<millseal-verify page code="${code}" `))
      assert.match(text, /<noscript>/)
    }
    assert.doesNotMatch(await (await open('/verify')).text(), / code=/)
  })

  test('says in words to a browser that a code is malformed, and shows nothing of it', async () => {
    for (const wrong of malformed) {
      const response = await open(`/v/${wrong}`)
      assert.equal(response.status, 400, wrong)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      const text = await response.text()
      assert.match(text, /no valid code: after \/v\/ there must be 22 characters/)
      assert.match(text, /href="\/verify"/)
      assert.ok(!text.includes(decodeURIComponent(wrong)))
    }
  })

  test('says it to other clients in JSON, with the name of the field', async () => {
    for (const accept of ['application/json', '*/*'])
      for (const wrong of malformed) {
        const response = await open(`/v/${wrong}`, accept)
        assert.equal(response.status, 400, wrong)
        const { name, details } = (await response.json()) as { name: string; details: readonly string[] }
        assert.equal(name, 'BadRequestException')
        assert.match(details.join(), /^params\/code /)
      }
    assert.equal((await open('/v/', 'application/json')).status, 404)
  })
})
