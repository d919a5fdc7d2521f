import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { openHouse, type TestHouse } from '../../test/house.ts'
import { newOwner } from '../../test/machines.ts'

const executable = await findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let house: TestHouse
let browser: Browser
let genuine: { json: string; pdf: string; hash: string }

before(async () => {
  if (executable === undefined) return
  browser = await launchChromium(executable)
  house = await openHouse()
  genuine = await notarized()
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await house[Symbol.asyncDispose]()
})

/** A certificate on the ledger, its files where a browser can choose them. */
const notarized = async () => {
  const { admin, company } = await newOwner(house, 'visible-mill')
  const client = house.client(admin.accessToken)
  const about = { company: company.id, query: { mode: 'test' } } as const
  const wallet = await client.createWallet({ ...about, body: {} })
  const identity = await client.createIdentity({
    ...about,
    body: { coinType: 822, account: 0, wallet: wallet.id },
  })
  const text = JSON.stringify(sampleCertificate())
  const { jobId = '', hash } = await client.notarizeCertificate({
    company: company.id,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([text], { type: 'application/json' }),
  })
  const one = { company: company.id, params: { id: jobId } }
  const until = performance.now() + 30_000
  while ((await client.readCertificate(one)).state !== 'notarized') {
    assert.ok(performance.now() < until, 'not notarized')
    await new Promise((resume) => setTimeout(resume, 50))
  }
  const pdf = await client.readCertificatePdf(one)
  const files = { json: join(house.config.dataDir, 'c.json'), pdf: join(house.config.dataDir, 'c.pdf') }
  await writeFile(files.json, text)
  await writeFile(files.pdf, new Uint8Array(await pdf.arrayBuffer()))
  return { ...files, hash: hash.value }
}

const opened = async (hash = ''): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(`${house.url}/verify?mode=test${hash === '' ? '' : `#${hash}`}`)
  return page
}

const verdictOn = async (page: Page, file: string): Promise<{ verdict: string; checks: string }> => {
  await page.setInputFiles('#file', file)
  await page.waitForSelector('#result:not([hidden])')
  return {
    verdict: (await page.textContent('#verdict')) ?? '',
    checks: (await page.textContent('#checks')) ?? '',
  }
}

describe('the verification page, in a real browser', { skip }, () => {
  test('JSON and PDF are found genuine in the browser, and neither leaves it', async () => {
    const page = await opened(genuine.hash)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`))
    for (const file of [genuine.json, genuine.pdf]) {
      const { verdict, checks } = await verdictOn(page, file)
      assert.equal(verdict, 'Genuine', checks)
      assert.match(checks, /Entry \d+ of \d+ in the log/)
    }
    assert.deepEqual(problems, [])
    assert.ok(
      sent.every((request) => request.startsWith('GET ')),
      sent.join('\n'),
    )
    await page.close()
  })

  test('a changed file is not valid, and a genuine one that is not the scanned one is said to be another', async () => {
    const changed = join(house.config.dataDir, 'changed.json')
    await writeFile(changed, JSON.stringify(sampleCertificate()))
    const page = await opened()
    assert.equal((await verdictOn(page, changed)).verdict, 'Not valid')
    await page.close()
    const scanned = await opened('0'.repeat(64))
    const { verdict, checks } = await verdictOn(scanned, genuine.json)
    assert.equal(verdict, 'Not valid')
    assert.match(checks, /another certificate/)
    await scanned.close()
  })
})
