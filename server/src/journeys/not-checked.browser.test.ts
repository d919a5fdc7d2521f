import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalJson } from '@millseal/proof'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { makeLedgerSigner } from '../../test/ledger-signer.ts'
import { startTestServer } from '../../test/test-server.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

test('the page says of an entry that nobody notarized here that it is not checked, in both languages', {
  skip,
}, async () => {
  await using server = await startTestServer()
  const text = JSON.stringify(sampleCertificate())
  const jsonHash = createHash('sha256')
    .update(canonicalJson(JSON.parse(text)))
    .digest('hex')
  const body = JSON.stringify(makeLedgerSigner().create({ jsonHash }))
  await fetch(`${server.url}/ledger/test/api/v1/transactions`, { method: 'POST', body })
  const file = join(server.config.dataDir, 'c.json')
  await writeFile(file, text)
  const browser = await launchChromium(executable ?? '')
  try {
    for (const [locale, words] of [
      ['en', /Not checked by Millseal: /],
      ['de', /Nicht von Millseal geprüft: /],
    ] as const) {
      const page = await browser.newPage({ locale })
      await page.goto(`${server.url}/verify?mode=test`)
      await page.setInputFiles('#file', file)
      await page.waitForSelector('#result:not([hidden])')
      assert.match((await page.locator('#why').allTextContents()).join(''), words)
      await page.close()
    }
  } finally {
    await browser.close()
  }
})
