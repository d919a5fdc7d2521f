import assert from 'node:assert/strict'
import { globSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

const root = join(import.meta.dirname, '../../../..')
const names = [...globSync('docs/*.md', { cwd: root }).map((path) => basename(path, '.md')), 'security']

let server: TestServer
const pages = new Map<string, string>()
before(async () => {
  server = await startTestServer()
  for (const path of ['/docs/guide', ...names.map((name) => `/docs/guide/${name}`)]) {
    const answer = await fetch(`${server.url}${path}`)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    pages.set(path, await answer.text())
  }
})
after(() => server[Symbol.asyncDispose]())

const all = (html: string, attribute: string): readonly string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll(/&#(\d+);/g, (_whole, code) => String.fromCodePoint(Number(code))),
  )

describe('the documentation of an installation', () => {
  test('is every page in docs/, and each leads to all of them', () => {
    assert.ok(names.length > 30, String(names.length))
    for (const [path, html] of pages) {
      const links = new Set(all(html, 'href'))
      for (const name of names) assert.ok(links.has(`/docs/guide/${name}`), `${path} leads to ${name}`)
      assert.equal(html.match(/<h1/g)?.length, 1, path)
    }
    assert.match(pages.get('/docs/guide/keys') ?? '', /<a href="\/docs\/guide\/keys" aria-current="page">/)
  })

  test('has only links that lead to pages, headings and files of this server', async () => {
    const files = new Set<string>()
    let anchors = 0
    for (const [path, html] of pages) {
      for (const link of all(html, 'href').filter((href) => !/^(https?|mailto):/.test(href))) {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : file
        if (anchor === undefined) files.add(target)
        else {
          anchors += 1
          assert.ok(all(pages.get(target) ?? '', 'id').includes(anchor), `${path}: ${link}`)
        }
      }
      for (const src of all(html, 'src')) files.add(src)
    }
    assert.ok(anchors > 300, String(anchors))
    assert.ok([...files].some((path) => /^\/docs\/guide\/pictures\/[\w-]+\.png$/.test(path)))
    for (const path of files) assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
  })

  test('has no script and the policy of pages without one, and arrives compressed', async () => {
    for (const [path, html] of pages) assert.doesNotMatch(html, /<script|<style| style=| on\w+=/, path)
    const answer = await fetch(`${server.url}/docs/guide/keys`, { headers: { 'accept-encoding': 'br' } })
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    assert.equal(answer.headers.get('content-encoding'), 'br')
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
  })

  test('has no page outside of it', async () => {
    for (const name of ['missing', 'index.html', '..%2fapp%2findex', 'pictures/missing.png', 'stamp'])
      assert.equal((await fetch(`${server.url}/docs/guide/${name}`)).status, 404, name)
  })

  test('is beside the API reference, to which /docs leads, and the home page leads to both', async () => {
    const reference = await fetch(`${server.url}/docs`)
    assert.equal(reference.url, `${server.url}/docs/api`)
    assert.match(await reference.text(), /<title>API reference/)
    const home = await fetch(server.url, { headers: { accept: 'text/html' } })
    const links = all(await home.text(), 'href')
    assert.ok(links.includes('/docs/api') && links.includes('/docs/guide'))
  })

  test('takes at most 2 MB of an installation', () => {
    const folder = join(root, 'console/built/guide')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    assert.ok(bytes < 2_000_000, `${bytes} bytes`)
  })
})
