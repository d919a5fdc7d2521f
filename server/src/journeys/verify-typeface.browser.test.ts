import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { offlineVerifyPage } from '../http/verify-page/verify-files.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium, listenForFiles } from '../../test/chromium.ts'
import { inChromium, verdictOn } from '../../test/receiver-pages.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let server: TestServer
let browser: Browser
let folder: TemporaryFolder
before(async () => {
  if (executable === undefined) return
  folder = await makeTemporaryFolder()
  browser = await launchChromium(executable)
  server = await startTestServer()
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Texts that are drawn with a typeface of the machine. */
const foreignTexts = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  const nodes = [root]
  const found: string[] = []
  for (const node of nodes) {
    const shadows = node.shadowRoots ?? []
    nodes.push(...(node.children ?? []), ...shadows.filter((one) => one.shadowRootType !== 'user-agent'))
    const text = (node.children ?? []).map(({ nodeValue }) => nodeValue).join('')
    if (text.trim() === '') continue
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId: node.nodeId })
    if (fonts.some(({ isCustomFont }) => !isCustomFont)) found.push(`${node.nodeName} ${text}`)
  }
  await session.detach()
  return found
}

describe('the page that verifies', { skip }, () => {
  test('has the typeface of the console in both languages, also when it was saved', async () => {
    const saved = join(folder.path, 'verify.html')
    await writeFile(saved, offlineVerifyPage())
    const addresses = [`${server.url}/verify`, pathToFileURL(saved).href]
    const file = join(folder.path, 'certificate.json')
    await writeFile(file, JSON.stringify(sampleCertificate()))
    for (const address of addresses)
      for (const locale of ['en-GB', 'de-DE']) {
        const page = await browser.newPage({ locale })
        const problems: string[] = []
        page.on('console', (message) => /policy/i.test(message.text()) && problems.push(message.text()))
        await page.goto(address)
        listenForFiles(page)
        await verdictOn(inChromium(page), file)
        assert.deepEqual(await foreignTexts(page), [], `${address} in ${locale}`)
        assert.deepEqual(problems, [])
        await page.close()
      }
  })
})
