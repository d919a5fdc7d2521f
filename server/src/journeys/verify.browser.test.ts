import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { canonicalJson } from '@millseal/proof'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { makeLedgerSigner } from '../../test/ledger-signer.ts'
import { newLiveOwner, newOwner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { verdictOn } from '../../test/verify-page.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let server: TestServer
let browser: Browser
let genuine: { json: string; pdf: string; hash: string }

before(async () => {
  if (executable === undefined) return
  browser = await launchChromium(executable)
  server = await startTestServer()
  genuine = await notarized()
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** A recorded certificate, with its files in a folder that the browser can read. */
const notarized = async () => {
  const { admin, company } = await newOwner(server, 'visible-mill')
  const client = server.client(admin.accessToken)
  const identity = await newIdentity(client, company.id)
  const text = JSON.stringify(sampleCertificate())
  const { jobId = '', hash } = await client.notarizeCertificate({
    company: company.id,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([text], { type: 'application/json' }),
  })
  const { state } = await endedNotarization(client, { company: company.id, jobId })
  assert.equal(state, 'notarized')
  const pdf = await client.readCertificatePdf({ company: company.id, params: { id: jobId } })
  const files = { json: join(server.config.dataDir, 'c.json'), pdf: join(server.config.dataDir, 'c.pdf') }
  await writeFile(files.json, text)
  await writeFile(files.pdf, new Uint8Array(await pdf.arrayBuffer()))
  return { ...files, hash: hash.value }
}

const opened = async (hash = ''): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/verify?mode=test${hash === '' ? '' : `#${hash}`}`)
  return page
}

describe('the verification page, in a real browser', { skip }, () => {
  test('JSON and PDF are verified in the browser, and neither is uploaded', async () => {
    const page = await opened(genuine.hash)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`))
    for (const file of [genuine.json, genuine.pdf]) {
      const { tone, verdict, why, checks } = await verdictOn(page, file)
      assert.deepEqual([tone, verdict], ['caution', 'TEST – NO REAL MATERIAL'], checks)
      assert.match(why, /does not describe real material/)
      assert.match(checks, /Entry \d+ of \d+ in the log/)
    }
    assert.deepEqual(problems, [])
    assert.ok(
      sent.every((request) => request.startsWith('GET ')),
      sent.join('\n'),
    )
    await page.close()
  })

  test('a certificate that names another seller than its notary is shown with both names', async () => {
    const { admin, company } = await newLiveOwner(server, 'visible-trader')
    const client = server.client(admin.accessToken)
    const identity = await newIdentity(client, company.id)
    await publishIdentity(client, { company: company.id, identity })
    const certificate = sampleCertificate()
    certificate.Certificate.CommercialTransaction.A01.Name = 'Steel Works'
    const { id, text } = await notarizeSample(client, { company: company.id, identity, certificate })
    const pdf = await client.readCertificatePdf({ company: company.id, params: { id } })
    const page = await opened()
    for (const [name, bytes] of [
      ['traded.json', text],
      ['traded.pdf', new Uint8Array(await pdf.arrayBuffer())],
    ] as const) {
      const file = join(server.config.dataDir, name)
      await writeFile(file, bytes)
      const { tone, why } = await verdictOn(page, file)
      assert.match(`${tone}: ${why}`, /^caution: .* Notarized by Rolling Mill; .*names Steel Works as/)
    }
    await page.close()
  })

  test('the mode is recognised: a test certificate is amber on a page that nobody asked for test ones', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/verify`)
    const { tone, verdict } = await verdictOn(page, genuine.pdf)
    assert.deepEqual([tone, verdict], ['caution', 'TEST – NO REAL MATERIAL'])
    await page.close()
  })

  test('a file that is dropped anywhere on the page is verified like a chosen one', async () => {
    const page = await opened()
    const text = JSON.stringify(await readFile(genuine.json, 'utf8'))
    const dropped = await page.evaluateHandle(
      `(() => { const it = new DataTransfer(); it.items.add(new File([${text}], 'c.json')); return it })()`,
    )
    await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
    await page.waitForSelector('#result[data-verdict=caution]')
    await page.close()
  })

  test('a file that is not a certificate is rejected with the reason', async () => {
    const typo = join(server.config.dataDir, 'typo.json')
    await writeFile(typo, '{"a": oops}')
    const page = await opened()
    const { tone, verdict, why } = await verdictOn(page, typo)
    assert.deepEqual([tone, verdict], ['none', 'COULD NOT BE CHECKED'])
    assert.match(why, /neither a PDF nor a certificate in JSON: .*line 1, column 7/)
    await page.close()
  })

  test('a changed file is not valid, and neither is a genuine one whose QR code was not the scanned one', async () => {
    const changed = join(server.config.dataDir, 'changed.json')
    await writeFile(changed, JSON.stringify(sampleCertificate()))
    const page = await opened()
    assert.equal((await verdictOn(page, changed)).verdict, 'NOT FOUND')
    await page.close()
    const scanned = await opened('0'.repeat(64))
    const { tone, verdict, why } = await verdictOn(scanned, genuine.json)
    assert.deepEqual([tone, verdict], ['bad', 'ANOTHER CERTIFICATE'])
    assert.match(why, /ot the certificate whose QR code/)
    await scanned.close()
  })

  test('a QR code matches the certificate it names, not one whose record mentions its hash', async () => {
    const other = sampleCertificate()
    const jsonHash = createHash('sha256').update(canonicalJson(other)).digest('hex')
    const path = join(server.config.dataDir, 'other.json')
    await writeFile(path, JSON.stringify(other))
    const recorded = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      body: JSON.stringify(makeLedgerSigner().create({ jsonHash, note: genuine.hash })),
    })
    assert.equal(recorded.status, 202)
    const page = await opened(genuine.hash)
    assert.equal((await verdictOn(page, path)).verdict, 'ANOTHER CERTIFICATE')
    await page.goto(`${server.url}/verify?mode=test#${jsonHash}`)
    await page.waitForSelector('#result[data-verdict=caution]:not([hidden])')
    await page.close()
  })

  test('a late result is not shown for a file that was chosen later', async () => {
    const changed = join(server.config.dataDir, 'changed-later.json')
    await writeFile(changed, JSON.stringify(sampleCertificate()))
    const page = await opened()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(`**/certificates/proof/${genuine.hash}*`, async (route) => {
      await released
      await route.continue()
    })
    await page.setInputFiles('#file', genuine.json)
    const { verdict } = await verdictOn(page, changed)
    const answered = page.waitForEvent('requestfinished', (request) => request.url().includes(genuine.hash))
    release()
    await answered
    await page.evaluate(async () => (await fetch('/ledger/test/vkey')).text())
    assert.deepEqual([verdict, await page.textContent('#verdict')], ['NOT FOUND', 'NOT FOUND'])
    await page.close()
  })

  test('a connection that breaks after the page was loaded is explained in a sentence', async () => {
    const page = await opened()
    await page.context().setOffline(true)
    const { tone, verdict, why } = await verdictOn(page, genuine.json)
    assert.deepEqual([tone, verdict], ['none', 'COULD NOT BE CHECKED'])
    assert.match(why, /^The service cannot be reached\. Try again, or/)
    await page.close()
  })
})
