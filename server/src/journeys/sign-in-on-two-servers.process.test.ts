import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Browser, consoleHeaders, openBrowser, signInBy } from '../../test/browser.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { enableMfa, password, signUp } from '../../test/people.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'

const safeUrl = 'https://seal.example'
let server: TestServer
let folder: TemporaryFolder
let environment: Record<string, string>
const servers: ServerProcess[] = []

before(async () => {
  const masterKey = randomBytes(32).toString('base64')
  server = await startOwnServer({ environment: { MILLSEAL_MASTER_KEY: masterKey } })
  folder = await makeTemporaryFolder()
  environment = {
    DATABASE_URL: server.config.databaseUrl ?? '',
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_MASTER_KEY: masterKey,
    MILLSEAL_ROLES: 'api',
  }
})
after(async () => {
  await Promise.all(servers.map((one) => one[Symbol.asyncDispose]()))
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const start = async (publicUrl: string): Promise<ServerProcess> => {
  const started = await startServer({ ...environment, MILLSEAL_PUBLIC_URL: publicUrl })
  servers.push(started)
  return started
}

/** A load balancer without sticky sessions: each request goes to the next server. */
const alternating = (urls: readonly string[]) => {
  let turn = 0
  return (url: URL): URL => {
    turn += 1
    return new URL(`${url.pathname}${url.search}`, urls[turn % urls.length])
  }
}

const meAt = async (browser: Browser, url: string): Promise<number> =>
  (await browser.call(`${url}/api/users/me`, { headers: consoleHeaders })).status

describe('signing in behind a load balancer', () => {
  test('works if consecutive requests reach different servers, whichever is first', async () => {
    const other = await start(server.url)
    const code = await enableMfa(server, await signUp(server, 'balanced'))
    await signUp(server, 'without-code')
    for (const [urls, credentials] of [
      [[server.url, other.url], { login: 'balanced', password, code }],
      [[other.url, server.url], { login: 'without-code', password }],
    ] as const) {
      const browser = openBrowser({ route: alternating(urls) })
      const page = await signInBy(browser, server, credentials)
      assert.equal(page.url.pathname, '/welcome', page.text)
      assert.equal(await meAt(browser, server.url), 200)
      assert.equal(await meAt(browser, server.url), 200)
      const ended = await browser.call(`${server.url}/api/auth/logout`, {
        method: 'POST',
        headers: { ...consoleHeaders, origin: server.url },
      })
      assert.equal(ended.status, 200)
      assert.equal(await meAt(browser, server.url), 401)
      assert.equal(await meAt(browser, server.url), 401)
    }
  })

  test('that terminates TLS makes every cookie secure and bound to the host, and only a trusted proxy can set the address', async () => {
    const behind = await start(safeUrl)
    await signUp(server, 'encrypted')
    const browser = openBrowser({ route: alternating([behind.url]) })
    const page = await browser.open(`${safeUrl}/auth/login?return_to=/welcome`)
    const lines = browser.cookies.map(({ line }) => line)
    for (const line of lines) assert.match(line, /; secure/i)
    assert.match(lines.join('\n'), /^__Host-millseal-signin=/m)
    assert.match(lines.join('\n'), /^__Secure-millseal-oidc-interaction=/m)
    const done = await browser.submit(page, { login: 'encrypted', password })
    assert.equal(done.url.href, `${safeUrl}/welcome`, done.text)
    const session = browser.cookies.find(({ path }) => path === '/')?.line ?? ''
    assert.match(session, /^__Host-millseal=.*; Path=\/; .*; HttpOnly; SameSite=Strict; Secure$/)
    assert.equal(await meAt(browser, safeUrl), 200)
  })
})
