import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { lacksFirefox, launchFirefox } from '../../test/firefox.ts'
import { newLiveOwner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { inChromium, inFirefox, type ReceiverPage, until, verdictOn } from '../../test/receiver-pages.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

type Files = Readonly<Record<'json' | 'pdf' | 'bundle' | 'changed' | 'resaved' | 'forged' | 'code', string>>

const executable = findChromium({ showsPdfs: true })

/** A certificate of a reviewed mill, and what a receiver may get instead of it. */
const issue = async (server: TestServer, folder: string): Promise<Files> => {
  const { admin, company } = await newLiveOwner(server, 'receiving-mill')
  const client = server.client(admin.accessToken)
  const identity = await newIdentity(client, company.id, 'live')
  await publishIdentity(client, { company: company.id, identity, mode: 'live' })
  const certificate = sampleCertificate({ number: 'MC-1' })
  const { id, text, hash } = await notarizeSample(client, {
    company: company.id,
    identity,
    mode: 'live',
    certificate,
  })
  const pdf = await client.readCertificatePdf({ company: company.id, params: { id } })
  const bytes = Buffer.from(await pdf.arrayBuffer())
  const proof = await fetch(`${server.url}/api/certificates/proof/${hash.value}?mode=live`)
  const changed = text.replace('"Value":"0.17"', '"Value":"0.16"')
  const save = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, content)
    return path
  }
  return {
    json: await save('genuine.json', text),
    pdf: await save('genuine.pdf', bytes),
    bundle: await save('bundle.json', await proof.text()),
    changed: await save('changed.json', changed),
    resaved: await save('resaved.pdf', Buffer.concat([bytes, Buffer.from('\n% saved again\n')])),
    forged: await save('forged.pdf', pdfWith(changed)),
    code: Buffer.from(hash.value, 'hex').subarray(0, 16).toString('base64url'),
  }
}

/** As little of a PDF as a reader needs to find the certificate in it. */
const pdfWith = (certificate: string): string =>
  `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length ${Buffer.byteLength(certificate)} >>\nstream\n${certificate}\nendstream\nendobj\n`

/** The page as a picture, or what opens it where the browser draws no PDF in a page. */
const paper = `(([it]) => (it.title || it.textContent) + ' ' + (it.src ?? it.href))(root.querySelectorAll('iframe.picture, a[href^=blob]'))`

type Opened = AsyncDisposable & { readonly page: ReceiverPage }

/** The browsers, each with a language, at the size of a phone. */
const browsers = [
  {
    name: 'Chromium',
    skip: executable === undefined ? 'there is no chromium on this machine' : false,
    async open(language: string): Promise<Opened> {
      const browser = await launchChromium(executable ?? '')
      const page = await browser.newPage({ locale: language, viewport: { width: 360, height: 740 } })
      return { page: inChromium(page), [Symbol.asyncDispose]: () => browser.close() }
    },
  },
  {
    name: 'Firefox',
    skip: await lacksFirefox(),
    async open(language: string): Promise<Opened> {
      const browser = await launchFirefox(`${language}, ${language.slice(0, 2)}`)
      const page = await browser.newPage()
      await page.setViewport({ width: 360, height: 740 })
      return { page: inFirefox(page), [Symbol.asyncDispose]: () => browser.close() }
    },
  },
]

for (const { name, skip, open } of browsers)
  describe(`a receiver with ${name} on a phone`, { skip }, () => {
    let server: TestServer
    let files: Files
    let folder: TemporaryFolder
    before(async () => {
      if (skip !== false) return
      server = await startTestServer()
      folder = await makeTemporaryFolder()
      files = await issue(server, folder.path)
    })
    after(async () => {
      if (skip !== false) return
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    })

    test('scans the code, gets four verdicts on the PDF, and sees what an altered one changed', async (context) => {
      await using opened = await open('en-GB')
      const { page } = opened
      await page.open(`${server.url}/v/${files.code}`)
      await until(page, `root.querySelector('#paper h2')`)
      assert.match(
        await page.read('root.querySelector("#paper").textContent'),
        /Is this the paper in your hand/,
      )
      const startedMs = performance.now()
      const genuine = await verdictOn(page, files.pdf)
      context.diagnostic(`${Math.round(performance.now() - startedMs)} ms to the first verdict`)
      assert.deepEqual([genuine.tone, genuine.says], ['good', 'GENUINE'])
      assert.deepEqual(
        genuine.rows.map((row) => row.replace(/On .*/, 'On a day')),
        ['yes: Unchanged', 'yes: By Rolling Mill', 'yes: On a day', 'yes: Still valid'],
      )
      assert.match(genuine.text, /Certificate MC-1, heat 175508, order PO-4711, 20 November 2026/)
      assert.match(await page.read(paper), /^The file you checked blob:/)

      for (const altered of [files.changed, files.forged]) {
        const { tone, says, text } = await verdictOn(page, altered)
        assert.deepEqual([tone, says], ['bad', 'Changed. Do not accept.'])
        assert.match(
          text,
          /^Changed.*\s+Rolling Mill notarized certificate MC-1, but not with these values\./,
        )
        assert.match(text, /\sC, heat 175508\s+0\.17 %\s+0\.16 %\s/)
        assert.match(text, /ask the sender for the original file/i)
      }
      // The forged PDF cannot be drawn: the frame would take the focus from the verdict.
      assert.match(await page.read(paper), /^The file you checked blob:/)
      assert.equal(await page.read(`root.querySelector('iframe') === null`), true)
      assert.equal(await page.read('root.activeElement.id'), 'verdict')
      const { says, text } = await verdictOn(page, files.resaved)
      assert.equal(says, 'Changed. Do not accept.')
      assert.match(text, /data inside the PDF are unchanged/)
      const values = await page.read<string>(`root.querySelector('#result details dl').textContent`)
      assert.match(values, /B07175508/)
      assert.equal(await page.read('document.documentElement.scrollWidth <= innerWidth'), true)
    })

    test('reads it in German', async () => {
      await using opened = await open('de-DE')
      const { page } = opened
      await page.open(`${server.url}/v/${files.code}`)
      await until(page, `root.querySelector('#paper h2')`)
      // Most phones draw no PDF in a page.
      await page.read(
        `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }) && 0`,
      )
      const { tone, says, rows } = await verdictOn(page, files.pdf)
      assert.deepEqual([tone, says], ['good', 'ECHT'])
      assert.deepEqual(
        rows.map((row) => row.replace(/Am .*/, 'Am Tag')),
        ['yes: Unverändert', 'yes: Von Rolling Mill', 'yes: Am Tag', 'yes: Gilt noch'],
      )
      assert.equal(await page.read('document.documentElement.lang'), 'de')
      assert.match(await page.read('document.title'), /^Ein Zeugnis prüfen/)
      assert.equal(await page.read(`root.querySelector('iframe') === null`), true)
      assert.match(await page.read(paper), /^Die geprüfte Datei blob:/)
    })

    test('with the service stopped after the page was loaded, verifies with a bundle, and learns what was not asked', async () => {
      await using opened = await open('en-GB')
      const { page } = opened
      await page.open(`${server.url}/verify`)
      await until(page, `root.querySelector('#file')`)
      await server[Symbol.asyncDispose]()
      const without = await verdictOn(page, files.pdf)
      assert.deepEqual([without.tone, without.says], ['none', 'COULD NOT BE CHECKED'])
      const { tone, says, text } = await verdictOn(page, files.pdf, files.bundle)
      assert.deepEqual([tone, says], ['good', 'GENUINE'])
      assert.match(text, /The service did not answer\. Your proof bundle covers the time until /)
    })
  })
