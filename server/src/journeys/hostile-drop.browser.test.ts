import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { canonicalJson } from '@millseal/proof'
import { attacker, createTestLog, didOfOwner, hostileDrops, ownerOf, record } from '@millseal/proof/testing'
import { offlineVerifyPage } from '../http/verify-page/verify-files.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { newLiveOwner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { inChromium, until, verdictOn } from '../../test/receiver-pages.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { zipOf } from '../../test/zip.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let server: TestServer
let browser: Browser
let folder: TemporaryFolder
let genuine: Readonly<Record<'json' | 'bundle' | 'policy', string>>
let forged: Readonly<Record<'certificate' | 'bundle' | 'policy', Buffer>>

const save = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder.path, name)
  await writeFile(path, content)
  return path
}

/** A certificate of this server, what proves it, and a policy that names the log of this server. */
const issue = async (): Promise<typeof genuine> => {
  const { admin, company } = await newLiveOwner(server, 'honest-mill')
  const client = server.client(admin.accessToken)
  const identity = await newIdentity(client, company.id, 'live')
  const live = { company: company.id, identity, mode: 'live' } as const
  await publishIdentity(client, live)
  const { text, hash } = await notarizeSample(client, live)
  const proof = await fetch(`${server.url}/api/certificates/proof/${hash.value}?mode=live`)
  const key = await (await fetch(`${server.url}/ledger/live/vkey`)).text()
  return {
    json: await save('genuine.json', text),
    bundle: await save('genuine-bundle.json', await proof.text()),
    policy: await save('mine.json', JSON.stringify({ logs: [key.trim()] })),
  }
}

/** What an attacker can make alone: a log whose operator says that the attacker's key belongs to a well-known mill. */
const forge = async (): Promise<typeof forged> => {
  const thief = ownerOf(7)
  const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
  const who = { did: didOfOwner(thief), company: 'Well-known Mill', vatId: 'DE123456789' }
  const certificate = canonicalJson(sampleCertificate({ number: 'FORGED-1' }))
  const jsonHash = createHash('sha256').update(certificate).digest('hex')
  const log = createTestLog('well-known.example/ledger/live')
  const key = { type: 'identity', publicKey: thief.publicKey, ...who }
  const identity = log.add(record(thief, key), at(11))
  const entry = log.add(record(thief, { jsonHash }), at(20))
  const review = { type: 'review', ...who, reviewedAt: at(12), evidence: jsonHash }
  const named = { identity, review: log.add(record(log.operator, review), at(21)) }
  return {
    certificate: Buffer.from(certificate),
    bundle: Buffer.from(JSON.stringify(await log.bundle(entry, named, at(30)))),
    policy: Buffer.from(JSON.stringify({ logs: [log.vkey] })),
  }
}

before(async () => {
  if (executable === undefined) return
  folder = await makeTemporaryFolder()
  browser = await launchChromium(executable)
  server = await startTestServer()
  genuine = await issue()
  forged = await forge()
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const forgedZip = (): Buffer =>
  zipOf({
    'certificate.json': forged.certificate,
    'bundle.json': forged.bundle,
    'trust/policy.json': forged.policy,
  })

const pages = {
  'the page': () => `${server.url}/verify`,
  'the page of the code of a genuine certificate': async () =>
    `${server.url}/verify#${createHash('sha256')
      .update(canonicalJson(JSON.parse(await readFile(genuine.json, 'utf8'))))
      .digest('hex')}`,
  'the saved page': async () => pathToFileURL(await save('verify.html', offlineVerifyPage())).href,
} as const

const opened = async (place: keyof typeof pages): Promise<Page> => {
  const page = await browser.newPage({ locale: 'en-GB' })
  const receiver = inChromium(page)
  await receiver.open(await pages[place]())
  await until(receiver, `root.querySelector('#file')`)
  return page
}

const ignored = (page: Page) => page.locator('.notice', { hasText: 'Ignored' })

/** Chooses a policy by its own field, and waits until it is used. */
const choosePolicy = async (page: Page, path: string): Promise<void> => {
  await page.setInputFiles('#policy', path)
  await page.getByText(/^Your trust policy .* decides/).waitFor()
}

describe('a trust policy that comes with the files', { skip }, () => {
  for (const place of [
    'the page',
    'the page of the code of a genuine certificate',
    'the saved page',
  ] as const)
    test(`decides nothing on ${place}: it is shown as ignored, with whom it would trust`, async () => {
      const page = await opened(place)
      const receiver = inChromium(page)
      const beside = await Promise.all(
        (['certificate', 'bundle', 'policy'] as const).map((name) => save(`${name}.json`, forged[name])),
      )
      const inZip = [await save('papers.zip', forgedZip())]
      for (const files of [inZip, beside]) {
        const { tone, says } = await verdictOn(receiver, ...files)
        const isCode = place.includes('code')
        assert.deepEqual(
          [tone, says],
          isCode ? ['bad', 'ANOTHER CERTIFICATE'] : ['none', 'COULD NOT BE CHECKED'],
        )
        assert.match(
          (await ignored(page).textContent()) ?? '',
          /policy\.json came with the files\. It would trust well-known\.example\/ledger\/live\./,
        )
      }
      const next = await verdictOn(
        receiver,
        genuine.json,
        ...(place === 'the saved page' ? [genuine.bundle] : []),
      )
      assert.equal(await ignored(page).count(), 0)
      if (place === 'the saved page') assert.equal(next.says, 'COULD NOT BE CHECKED')
      else assert.deepEqual([next.tone, next.says], ['good', 'GENUINE'])
      await page.context().close()
    })

  test('is ignored on a page that was saved with its own trust: it trusts the logs of its server, or the policy in it and no other', async () => {
    const fromServer = await (await fetch(`${server.url}/verify/offline`)).text()
    const policy = await readFile(genuine.policy, 'utf8')
    for (const html of [fromServer, offlineVerifyPage({ policy })]) {
      const page = await browser.newPage({ locale: 'en-GB' })
      const receiver = inChromium(page)
      await receiver.open(pathToFileURL(await save('verify.html', html)).href)
      await until(receiver, `root.querySelector('#file')`)
      assert.notEqual((await verdictOn(receiver, await save('papers.zip', forgedZip()))).tone, 'good')
      assert.equal(await ignored(page).count(), 1)
      const { tone, says } = await verdictOn(receiver, genuine.json, genuine.bundle)
      assert.deepEqual([tone, says], ['good', 'GENUINE'])
      assert.equal(await page.locator('#policy').count(), html === fromServer ? 1 : 0)
      await page.context().close()
    }
  })

  test('cannot fill the page or hide its name: five are shown, each in a line without invisible characters', async () => {
    const page = await opened('the page')
    const name = `${'a'.repeat(300)}\u202etxt.`
    const policies = Array.from({ length: 9 }, (_, at) => [`${name}${at}.json`, forged.policy] as const)
    const zip = zipOf({ 'certificate.json': forged.certificate, ...Object.fromEntries(policies) })
    await verdictOn(inChromium(page), await save('papers.zip', zip))
    const texts = await ignored(page).allTextContents()
    assert.equal(texts.length, 5)
    for (const text of texts) {
      assert.ok(text.length < 400, text)
      assert.doesNotMatch(text, /\u202e/)
    }
    await page.context().close()
  })

  test('does not replace the policy that the reader chose', async () => {
    const page = await opened('the saved page')
    await choosePolicy(page, genuine.policy)
    const receiver = inChromium(page)
    const hostile = await verdictOn(receiver, await save('papers.zip', forgedZip()))
    assert.notEqual(hostile.tone, 'good')
    const { says } = await verdictOn(receiver, genuine.json, genuine.bundle)
    assert.equal(says, 'GENUINE – BY YOUR POLICY mine.json')
    await page.context().close()
  })

  test('can be used by a deliberate act: the headline names it, it is never plain green, and it can be put away', async () => {
    const page = await opened('the page')
    const receiver = inChromium(page)
    await verdictOn(receiver, await save('papers.zip', forgedZip()))
    await ignored(page).getByRole('button', { name: 'Use it as mine' }).click()
    await page.locator('#result[data-verdict=caution]').waitFor()
    assert.equal(await page.textContent('#verdict'), 'GENUINE – BY YOUR POLICY trust/policy.json')
    await page.getByRole('button', { name: 'Stop using it' }).click()
    await page.locator('#result[data-verdict=none]').waitFor()
    assert.equal(await page.textContent('#verdict'), 'COULD NOT BE CHECKED')
    await page.context().close()
  })
})

describe('a file that is a PDF and something else at once', { skip }, () => {
  for (const place of ['the page', 'the saved page'] as const)
    test(`is refused by name on ${place}, and changes nothing for the next file`, async () => {
      const page = await opened(place)
      const receiver = inChromium(page)
      const mark = '%PDF-1.7\n'
      const zip = zipOf({
        [mark]: Buffer.from('1 0 obj'),
        'certificate.json': forged.certificate,
        'bundle.json': forged.bundle,
        'policy.json': forged.policy,
      })
      const json = Buffer.from(JSON.stringify({ mark, ...JSON.parse(forged.certificate.toString()) }))
      const html = Buffer.from(`<script>document.title = 'GENUINE'</script>${mark}`)
      for (const [name, bytes] of Object.entries({ ZIP: zip, JSON: json, HTML: html })) {
        const { tone, says, text } = await verdictOn(receiver, await save('certificate.pdf', bytes))
        assert.deepEqual([tone, says], ['none', 'COULD NOT BE CHECKED'], name)
        assert.match(text, new RegExp(`Do not use this file: it is a PDF and ${name} at once`))
        assert.equal(await ignored(page).count(), 0)
      }
      const { says } = await verdictOn(receiver, genuine.json)
      assert.equal(says, place === 'the page' ? 'GENUINE' : 'COULD NOT BE CHECKED')
      await page.context().close()
    })
})

test('a policy of the reader for a log that the page trusts itself stays green, and is named', {
  skip,
}, async () => {
  const page = await opened('the page')
  await choosePolicy(page, genuine.policy)
  const { tone, says } = await verdictOn(inChromium(page), genuine.json)
  assert.deepEqual([tone, says], ['good', 'GENUINE – BY YOUR POLICY mine.json'])
  await page.setInputFiles('#policy', genuine.json)
  await page.getByText(/^The trust policy cannot be used: /).waitFor()
  await page.context().close()
})

describe('the corpus of hostile files, in one pass', { skip }, () => {
  for (const place of ['the page', 'the saved page'] as const)
    test(`is never green on ${place}, and changes nothing for the genuine file after it`, async () => {
      const page = await opened(place)
      const bytes = async (path: string) => new Uint8Array(await readFile(path))
      const policy = await bytes(genuine.policy)
      const { logs } = JSON.parse(new TextDecoder().decode(policy)) as { logs: string[] }
      if (place === 'the saved page') await choosePolicy(page, genuine.policy)
      const drops = await hostileDrops({
        json: await bytes(genuine.json),
        bundle: await bytes(genuine.bundle),
        policy,
        vkey: logs[0] ?? '',
      })
      for (const { says, files, ignored: expected } of drops) {
        const sent = Object.entries(files).map(([name, content]) => ({
          name: name.replaceAll('/', '-'),
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(content),
        }))
        await page.evaluate(
          `document.querySelector('millseal-verify').shadowRoot.querySelector('#verdict').replaceChildren()`,
        )
        await page.setInputFiles('#file', sent)
        await page.locator('#verdict:not(:empty)').waitFor()
        const isGenuineThere = Object.hasOwn(files, 'genuine.json')
        const tone = await page.getAttribute('#result', 'data-verdict')
        if (!isGenuineThere) assert.ok(tone === 'none' || tone === 'bad', `${says}: ${tone}`)
        assert.doesNotMatch((await page.textContent('#result')) ?? '', new RegExp(`By ${attacker}`), says)
        assert.equal(await ignored(page).count(), Math.min(expected, 5), says)
      }
      const next = await verdictOn(inChromium(page), genuine.json, genuine.bundle)
      assert.equal(next.says, place === 'the page' ? 'GENUINE' : 'GENUINE – BY YOUR POLICY mine.json')
      await page.context().close()
    })
})
