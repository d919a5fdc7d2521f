import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { offlineVerifyPage } from '../http/verify-page/verify-files.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium, listenForFiles } from '../../test/chromium.ts'
import { assertAccessible } from '../../test/console.ts'
import { newLiveOwner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { inChromium, until, verdictOn } from '../../test/receiver-pages.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { zipOf } from '../../test/zip.ts'

const executable = findChromium({ showsPdfs: true })
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let server: TestServer
let browser: Browser
let folder: TemporaryFolder
let files: Readonly<Record<'json' | 'pdf' | 'bundle' | 'policy' | 'other' | 'unknown', string>>

const save = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder.path, name)
  await writeFile(path, content)
  return path
}

before(async () => {
  if (executable === undefined) return
  folder = await makeTemporaryFolder()
  browser = await launchChromium(executable)
  server = await startTestServer()
  const { admin, company } = await newLiveOwner(server, 'embedding-mill')
  const client = server.client(admin.accessToken)
  const identity = await newIdentity(client, company.id, 'live')
  await publishIdentity(client, { company: company.id, identity, mode: 'live' })
  const shared = { company: company.id, identity, mode: 'live' } as const
  const one = await notarizeSample(client, shared)
  const other = await notarizeSample(client, shared)
  const pdf = await client.readCertificatePdf({ company: company.id, params: { id: one.id } })
  const proof = await fetch(`${server.url}/api/certificates/proof/${one.hash.value}?mode=live`)
  const key = await (await fetch(`${server.url}/ledger/live/vkey`)).text()
  files = {
    json: await save('one.json', one.text),
    pdf: await save('one.pdf', new Uint8Array(await pdf.arrayBuffer())),
    bundle: await save('bundle.json', await proof.text()),
    policy: await save('policy.json', JSON.stringify({ logs: [key.trim()] })),
    other: await save('other.json', other.text),
    unknown: await save('unknown.json', JSON.stringify(sampleCertificate())),
  }
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** What a browser downloads: it decompresses brotli itself. */
const bytesSent = async (url: string): Promise<number> => {
  const answer = Promise.withResolvers<IncomingMessage>()
  get(url, { headers: { 'accept-encoding': 'br' } }, answer.resolve).once('error', answer.reject)
  let bytes = 0
  for await (const part of await answer.promise) bytes += (part as Buffer).length
  return bytes
}

const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await browser.newPage({ locale: 'en-GB', ...options })
  listenForFiles(page)
  return page
}

describe('the page that verifies', { skip }, () => {
  test('is one script after the page, and without its typeface at most 34 kB compressed together', async () => {
    const page = await newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${server.url}/verify`, { waitUntil: 'networkidle' })
    assert.deepEqual(asked, ['/verify', '/verify/millseal-verify.js'])
    const sizes = await Promise.all(asked.map((path) => bytesSent(`${server.url}${path}`)))
    const bytes = sizes.reduce((sum, size) => sum + size)
    const style = /<style>.*<\/style>/.exec(await (await fetch(`${server.url}/verify`)).text())
    const typeface = brotliCompressSync(style?.[0] ?? '').length
    assert.ok(typeface <= 14_500 && bytes - typeface <= 34_000, `${sizes.join(' + ')}, typeface ${typeface}`)
    await page.close()
  })

  test('is on the home page, too: a file dropped or chosen there is verified, and nothing of it is sent', async () => {
    const page = await newPage()
    const context = page.context()
    const asked: { readonly path: string; readonly body: string | null }[] = []
    page.on('request', (one) => asked.push({ path: new URL(one.url()).pathname, body: one.postData() }))
    await page.goto(server.url, { waitUntil: 'networkidle' })
    await assertAccessible(page)
    const loaded = asked.map(({ path }) => path).filter((path) => !/woff2|favicon/.test(path))
    const sizes = await Promise.all(loaded.map((path) => bytesSent(`${server.url}${path}`)))
    assert.equal(loaded.length, 3, loaded.join())
    assert.ok(sizes.reduce((sum, size) => sum + size) <= 38_000, sizes.join(' + '))
    assert.equal((await verdictOn(inChromium(page), files.pdf)).tone, 'good')
    const text = JSON.stringify(await readFile(files.unknown, 'utf8'))
    const dropped = await page.evaluateHandle(
      `(() => { const it = new DataTransfer(); it.items.add(new File([${text}], 'c.json')); return it })()`,
    )
    await page.dispatchEvent('millseal-verify', 'drop', { dataTransfer: dropped })
    await page.waitForSelector('#result[data-verdict=none]')
    await assertAccessible(page)
    assert.deepEqual(
      asked.filter(({ body }) => body !== null),
      [],
    )
    assert.equal(new URL(page.url()).pathname, '/')
    await context.close()
  })

  test('asks the service only for hashes: no request has a body, or a value of the certificate', async () => {
    const page = await newPage()
    const asked: { readonly method: string; readonly url: string; readonly body: string | null }[] = []
    page.on('request', (one) => asked.push({ method: one.method(), url: one.url(), body: one.postData() }))
    await page.goto(`${server.url}/verify`)
    for (const file of [files.pdf, files.unknown]) await verdictOn(inChromium(page), file)
    assert.deepEqual([...new Set(asked.map(({ method, body }) => `${method} ${body}`))], ['GET null'])
    const ours =
      /^\/(?:verify(?:\/millseal-verify\.js)?|api\/certificates\/proof\/[0-9a-f]{64}|ledger\/(?:live|test)\/vkey)$/
    const foreign = asked
      .map(({ url }) => url)
      .filter((url) => url.startsWith('http') && !ours.test(new URL(url).pathname))
    assert.deepEqual(foreign, [])
    await page.close()
  })

  test('checks many files, also in a zip, and saves the report as a table', async () => {
    const [one, other, unknown] = await Promise.all(
      [files.pdf, files.other, files.unknown].map((path) => readFile(path)),
    )
    assert.ok(one && other && unknown)
    const zip = await save(
      'many.zip',
      zipOf({ 'a/one.pdf': one, 'a/other.json': other, '__MACOSX/x': unknown }),
    )
    const page = await newPage()
    await page.goto(`${server.url}/verify`)
    const { says, text } = await verdictOn(inChromium(page), zip, files.unknown, files.policy)
    assert.equal(says, '3 files checked')
    assert.match(text, /2 × GENUINE · 1 × NOT FOUND/)
    assert.match(text, /a\/one\.pdf\s*GENUINE/)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const table = await readFile(await (await saved).path(), 'utf8')
    const rows = table.trim().split('\r\n')
    assert.equal(rows.length, 4)
    assert.match(rows[1] ?? '', /^"a\/one\.pdf";"GENUINE";"MC-2026-\d+";"175508";"PO-4711";/)
    await page.close()
  })

  test('has no fault that axe finds, in both themes, from 360 to 2560 px', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 2_560]) {
        const page = await newPage({ colorScheme, viewport: { width, height: 800 } })
        const context = page.context()
        await page.goto(`${server.url}/verify`)
        await until(inChromium(page), `root.querySelector('#file')`)
        await assertAccessible(page)
        for (const chosen of [[files.pdf], [files.json, files.unknown]]) {
          await verdictOn(inChromium(page), ...chosen)
          await assertAccessible(page)
        }
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
        await context.close()
      }
  })

  test('reads the code with the camera where the browser can, and hints at the phone where it cannot', async () => {
    const page = await newPage()
    await page.goto(`${server.url}/verify`)
    assert.equal(await page.locator('#camera').count(), 0)
    assert.match((await page.textContent('.page')) ?? '', /QR code with your phone/)
    const json = JSON.parse(await readFile(files.bundle, 'utf8')) as {
      entry: { transaction: { asset: { data: { jsonHash: string } } } }
    }
    const hash = json.entry.transaction.asset.data.jsonHash
    await page.addInitScript(`
      globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: ${JSON.stringify(`${server.url}/verify#${hash}`)} }] } }
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = document.createElement('canvas')
        const drawing = canvas.getContext('2d')
        setInterval(() => drawing.fillRect(0, 0, 1, 1), 20)
        return canvas.captureStream()
      }`)
    await page.reload()
    await page.evaluate(
      `document.querySelector('millseal-verify').shadowRoot.querySelector('#camera').click()`,
    )
    await page.waitForSelector('#paper h2')
    assert.equal(await page.textContent('#paper h2'), 'RECORDED – COMPARE THE PAPER')
    await page.close()
  })
})

describe('the offline page', { skip }, () => {
  test('works from a file, with a bundle and a policy, and connects to nobody', async () => {
    const downloaded = await fetch(`${server.url}/verify/offline`)
    assert.match(downloaded.headers.get('content-disposition') ?? '', /attachment; filename="verify\.html"/)
    const html = await downloaded.text()
    assert.match(html, /<millseal-verify page keys="\S+ \S+" server="">/)
    const path = await save('verify.html', offlineVerifyPage())
    const page = await newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(pathToFileURL(path).href)
    const alone = await verdictOn(inChromium(page), files.json)
    assert.deepEqual([alone.tone, alone.says], ['none', 'COULD NOT BE CHECKED'])
    await page.setInputFiles('#policy', files.policy)
    for (const file of [files.json, files.pdf]) {
      const { tone, says, text } = await verdictOn(inChromium(page), file, files.bundle)
      assert.deepEqual([tone, says], ['caution', 'GENUINE – BY YOUR POLICY policy.json'])
      assert.doesNotMatch(text, /did not answer/)
    }
    assert.deepEqual(
      asked.filter((url) => /^(?:https?|wss?):/.test(url)),
      [],
    )
    assert.deepEqual(problems, [])
    await page.close()
  })
})

describe('the element on the page of another site', { skip }, () => {
  const serve = async (html: string, policy: string): Promise<Server> => {
    const site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-security-policy', policy)
      response.setHeader('cross-origin-embedder-policy', 'require-corp')
      response.statusCode = request.url === '/' ? 200 : 404
      response.end(html)
    })
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    return site
  }

  test('works by the snippet of the server, with its integrity hash, under a strict policy', async () => {
    const snippet = await (await fetch(`${server.url}/verify/embed`)).text()
    const script = Buffer.from(await (await fetch(`${server.url}/verify/millseal-verify.js`)).arrayBuffer())
    assert.ok(snippet.includes(`integrity="sha384-${createHash('sha384').update(script).digest('base64')}"`))
    const policy = `default-src 'none'; img-src data:; script-src ${server.url}/verify/; connect-src ${server.url}; require-trusted-types-for 'script'`
    const site = await serve(
      `<!doctype html><html lang="en"><title>Mill</title><link rel="icon" href="data:,">${snippet}`,
      policy,
    )
    const page = await newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await until(inChromium(page), `root.querySelector('#file')`)
    const { tone, says } = await verdictOn(inChromium(page), files.pdf)
    assert.deepEqual([tone, says], ['good', 'GENUINE'])
    assert.deepEqual(problems, [])
    await page.close()
    site.close()
  })

  test('does not run if the script is not the one of the integrity hash', async () => {
    const snippet = await (await fetch(`${server.url}/verify/embed`)).text()
    const wrong = snippet.replace(
      /sha384-[^"]+/,
      `sha384-${createHash('sha384').update('other').digest('base64')}`,
    )
    const site = await serve(
      `<!doctype html><html lang="en"><title>Mill</title>${wrong}`,
      `script-src ${server.url}/verify/`,
    )
    const page = await newPage()
    const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await refused
    assert.equal(await page.evaluate(`document.querySelector('millseal-verify').shadowRoot`), null)
    await page.close()
    site.close()
  })

  test('only the script may be loaded by other sites', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${server.url}${path}`)).headers.get('cross-origin-resource-policy')
    assert.equal(await policyOf('/verify/millseal-verify.js'), 'cross-origin')
    for (const path of ['/verify', '/verify/offline', '/verify/embed', '/docs/page.css'])
      assert.equal(await policyOf(path), 'same-origin')
  })
})
