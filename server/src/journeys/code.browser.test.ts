import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import type { Certificate, Identity, Mode } from '@millseal/contract'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { assertAccessible } from '../../test/console.ts'
import { lacksPackage } from '../../test/debian-package.ts'
import { newLiveOwner, type Owner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { newIdentity } from '../../test/signers.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

const executable = findChromium()
const skip =
  (executable === undefined && 'there is no chromium on this machine') ||
  (await lacksPackage({ name: 'poppler-utils', file: '/usr/bin/pdftoppm' })) ||
  (await lacksPackage({ name: 'zbar-tools', file: '/usr/bin/zbarimg' }))

type Paper = Certificate & { readonly json: string; readonly pdf: string; readonly address: string }

let server: TestServer
let browser: Browser
let mill: Owner
const papers = new Map<Mode, Paper>()

before(async () => {
  if (executable === undefined || skip !== false) return
  browser = await launchChromium(executable)
  server = await startTestServer()
  mill = await newLiveOwner(server, 'printing-mill')
  for (const mode of ['test', 'live'] as const) {
    const identity = await newIdentity(client(), mill.company.id, mode)
    await publishIdentity(client(), { company: mill.company.id, identity, mode })
    papers.set(mode, await print(mode, identity))
  }
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  await server[Symbol.asyncDispose]()
})

const client = () => server.client(mill.admin.accessToken)
const paperOf = (mode: Mode): Paper => papers.get(mode) ?? assert.fail('nothing is printed')

const run = async (program: string, options: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, options)).stdout

/** A notarized certificate with its files, and the address that a phone reads from a black-and-white copy. */
const print = async (mode: Mode, identity: Identity): Promise<Paper> => {
  const company = mill.company.id
  const { text, ...certificate } = await notarizeSample(client(), { company, identity, mode })
  const file = join(server.config.dataDir, mode)
  const [json, pdf] = [`${file}.json`, `${file}.pdf`]
  await writeFile(json, text)
  const bytes = await client().readCertificatePdf({ company, params: { id: certificate.id } })
  await writeFile(pdf, new Uint8Array(await bytes.arrayBuffer()))
  await run('pdftoppm', ['-r', '200', '-mono', '-png', '-f', '1', '-singlefile', pdf, file])
  const address = (await run('zbarimg', ['-q', '--raw', `${file}.png`])).trim()
  return { ...certificate, json, pdf, address }
}

type Shown = { readonly tones: readonly (string | null)[]; readonly says: string; readonly text: string }

const scan = async (address: string): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(address)
  await page.waitForSelector('#paper h2')
  return page
}

const shownOn = async (page: Page): Promise<Shown> => {
  const blocks = await page.locator('#paper [data-verdict]').all()
  return {
    tones: await Promise.all(blocks.map((block) => block.getAttribute('data-verdict'))),
    says: (await page.locator('#paper h2').allTextContents()).join(' | '),
    text: (await page.textContent('#paper')) ?? '',
  }
}

const scanned = async (address: string): Promise<Shown> => {
  const page = await scan(address)
  const shown = await shownOn(page)
  await page.close()
  return shown
}

const verdictOn = async (page: Page, file: string): Promise<string> => {
  await page.setInputFiles('#file', file)
  await page.waitForSelector('#result:not([hidden])')
  return (await page.textContent('#verdict')) ?? ''
}

describe('the code on paper, scanned into a real browser', { skip }, () => {
  test('is a short address of this service', () => {
    for (const mode of ['test', 'live'] as const) {
      const { address, hash } = paperOf(mode)
      const code = Buffer.from(hash.value, 'hex').subarray(0, 16).toString('base64url')
      assert.equal(address, `${server.url}/v/${code}`)
    }
  })

  test('of a test certificate says TEST first, and of a live one never that the paper is genuine', async () => {
    const inTest = await scanned(paperOf('test').address)
    assert.deepEqual([inTest.tones, inTest.says], [['caution'], 'TEST – NO REAL MATERIAL'])
    assert.match(inTest.text, /in test mode: it does not describe real material/)
    const { address, hash, timestamp = '' } = paperOf('live')
    const live = await scanned(address)
    assert.deepEqual([live.tones, live.says], [['none'], 'RECORDED – COMPARE THE PAPER'])
    const recorded = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(
      new Date(timestamp),
    )
    assert.match(live.text, new RegExp(`Issuer${mill.company.name}.*Recorded${recorded}`))
    assert.ok(live.text.replaceAll(' ', '').includes(hash.value))
    for (const { text } of [inTest, live]) {
      assert.match(text, /Anybody can print this code on another paper/)
      assert.match(text, /choose the file you received/)
      assert.doesNotMatch(text, /genuine/i)
    }
  })

  test('leads to the check of the file, in the right mode, and to no other certificate', async () => {
    const [marked, live] = [paperOf('test'), paperOf('live')]
    const page = await scan(marked.address)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    // The browser says so of each file that is not in live mode.
    const isUnknown = (text: string): boolean => text.includes('status of 404')
    page.on('console', (message) => {
      if (message.type() === 'error' && !isUnknown(message.text())) problems.push(message.text())
    })
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`))
    for (const file of [marked.json, marked.pdf])
      assert.equal(await verdictOn(page, file), 'TEST – NO REAL MATERIAL')
    assert.deepEqual(problems, [])
    assert.ok(
      sent.every((request) => request.startsWith('GET ')),
      sent.join('\n'),
    )
    await page.goto(live.address)
    await page.waitForSelector('#paper h2')
    assert.equal(await verdictOn(page, live.pdf), 'GENUINE')
    await page.goto(live.address)
    assert.equal(await verdictOn(page, marked.pdf), 'ANOTHER CERTIFICATE')
    await page.close()
  })

  test('leads to a page that leads home, and speaks another language with the verdict kept, as other pages then do', async () => {
    const { address, pdf } = paperOf('live')
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(address)
    await page.waitForSelector('#paper h2')
    assert.equal(await verdictOn(page, pdf), 'GENUINE')
    const remembered = page.waitForResponse((response) => response.status() === 303)
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'ECHT' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Ein Zeugnis prüfen' }).waitFor()
    await page.getByRole('heading', { name: 'EINGETRAGEN – VERGLEICHEN SIE DAS PAPIER' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await assertAccessible(page)
    await remembered
    await page.reload()
    await page.getByRole('button', { name: 'English' }).waitFor()
    await page.getByRole('link', { name: 'Millseal' }).click()
    await page.waitForURL(`${server.url}/`)
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await context.close()
  })

  test('offers to choose a folder where there is a mouse, and not on a phone', async () => {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
    for (const [options, offered] of [
      [{}, 1],
      [phone, 0],
    ] as const) {
      const page = await browser.newPage(options)
      await page.goto(paperOf('live').address)
      await page.locator('#file').waitFor({ state: 'attached' })
      assert.equal(await page.locator('#folder').count(), offered)
      await page.close()
    }
  })

  test('that is unknown says so and asks for the file, whose verdict is not that of the paper', async () => {
    const page = await scan(`${server.url}/v/${'A'.repeat(22)}`)
    const { tones, says, text } = await shownOn(page)
    assert.deepEqual([tones, says], [['none'], 'NOT FOUND'])
    assert.match(text, /a draft, or was never notarized here.*Ask the sender for the original file/)
    assert.equal(await verdictOn(page, paperOf('live').json), 'ANOTHER CERTIFICATE')
    await page.close()
  })

  test('that cannot be looked up says why', async () => {
    const page = await browser.newPage()
    await page.route('**/certificates/codes/*', (route) => route.abort())
    await page.goto(paperOf('live').address)
    await page.waitForSelector('#paper h2')
    const { says, text } = await shownOn(page)
    assert.equal(says, 'COULD NOT BE CHECKED')
    assert.match(text, /The service cannot be reached/)
    await page.close()
  })

  test('says that the certificate was withdrawn, and that the one of a test was, too', async () => {
    for (const mode of ['live', 'test'] as const) {
      const { id, address } = paperOf(mode)
      await client().withdrawCertificate({
        company: mill.company.id,
        params: { id },
        body: { reason: 'Wrong heat' },
      })
      const { tones, says, text } = await scanned(address)
      const marked = mode === 'test' ? 'TEST – NO REAL MATERIAL. WITHDRAWN' : 'WITHDRAWN'
      assert.deepEqual([tones, says], [['bad'], marked])
      assert.match(text, /Withdrawn by its issuer on .*: Wrong heat\./)
    }
  })

  test('of older papers, with the hash in the fragment, still works', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/verify?mode=test#${paperOf('live').hash.value}`)
    assert.equal(await verdictOn(page, paperOf('test').json), 'ANOTHER CERTIFICATE')
    await page.close()
  })
})
