import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { canonicalJson } from '@millseal/proof'
import { createTestLog, didOfOwner, ownerOf, record } from '@millseal/proof/testing'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { colourOf, type Shown, verdictOn } from '../../test/verify-page.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false

let server: TestServer
let browser: Browser

before(async () => {
  if (executable === undefined) return
  browser = await launchChromium(executable)
  server = await startTestServer()
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
})

describe('the verdict of the verification page on a live certificate', { skip }, () => {
  const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
  const mill = ownerOf(1)
  const who = { did: didOfOwner(mill), company: 'Rolling Mill', vatId: 'DE123456789' }
  const certificate = { Heat: 'H-1' }
  const jsonHash = createHash('sha256').update(canonicalJson(certificate)).digest('hex')

  /** A log with a mill that calls itself Rolling Mill, and its certificate. */
  const openLog = () => {
    const log = createTestLog('mill.example/ledger/live')
    const identity = log.add(record(mill, { type: 'identity', publicKey: mill.publicKey, ...who }), at(11))
    return { log, identity, transaction: log.add(record(mill, { jsonHash }), at(20)) }
  }
  type Opened = ReturnType<typeof openLog>

  const reviewed = ({ log, identity }: Opened, company = who.company) => {
    const review = { type: 'review', ...who, company, reviewedAt: at(12), evidence: jsonHash }
    return { identity, review: log.add(record(log.operator, review), at(21)) }
  }

  const correct = ({ log, transaction }: Opened, members: Readonly<Record<string, string>>) =>
    log.add(
      record(mill, { type: 'correction', reason: 'Wrong heat', transactionId: transaction.id, ...members }),
      at(22),
    )

  /** The page with a server that has this bundle. */
  const shown = async (
    vkey: string,
    bundle: unknown,
    { now = at(40), maxStatusAge }: { readonly now?: string; readonly maxStatusAge?: string } = {},
  ): Promise<Shown & { readonly colour: string }> => {
    const page = await browser.newPage()
    await page.clock.setFixedTime(now)
    await page.goto(`${server.url}/verify`)
    if (maxStatusAge !== undefined)
      await page.locator('millseal-verify').evaluate((element, days) => {
        element.setAttribute('max-status-age', days)
      }, maxStatusAge)
    await page.route('**/certificates/proof/*', (route) => route.fulfill({ json: bundle }))
    await page.route('**/ledger/live/vkey', (route) => route.fulfill({ body: `${vkey}\n` }))
    const path = join(server.config.dataDir, 'live.json')
    await writeFile(path, JSON.stringify(certificate))
    const answer = { ...(await verdictOn(page, path)), colour: await colourOf(page) }
    await page.close()
    return answer
  }
  const green = 'rgb(16, 118, 106)'

  test('is green for a reviewed issuer, with the name in the review and not the one its key gave itself', async () => {
    const mills = openLog()
    const named = reviewed(mills, 'Rolling Mill Holding')
    const bundle = await mills.log.bundle(mills.transaction, named, at(30))
    const { tone, verdict, facts, colour } = await shown(mills.log.vkey, bundle)
    assert.deepEqual([tone, verdict, colour], ['good', 'GENUINE', green])
    assert.match(facts, /^IssuerRolling Mill HoldingVAT idDE123456789Recorded2026/)
    assert.match(facts, /Status as of2026-11-22T05:30:00\.000ZLog entry/)
  })

  test('is amber, never green, for an issuer that nobody reviewed, without the name it gave itself', async () => {
    const { log, identity, transaction } = openLog()
    const bundle = await log.bundle(transaction, { identity }, at(30))
    const { tone, verdict, why, facts, checks, colour } = await shown(log.vkey, bundle)
    assert.deepEqual([tone, verdict], ['caution', 'UNCHANGED, BUT THE ISSUER IS UNKNOWN'])
    assert.notEqual(colour, green)
    assert.doesNotMatch(why + facts, /Rolling Mill/)
    assert.match(checks, /calls itself Rolling Mill; the operator of the log has not confirmed that/)
  })

  test('is amber for a status that is too old, with its age, and green again for a reader who accepts it', async () => {
    const mills = openLog()
    const bundle = await mills.log.bundle(mills.transaction, reviewed(mills), at(30))
    const later = { now: '2026-12-22T05:30:01.000Z' }
    const old = await shown(mills.log.vkey, bundle, later)
    assert.deepEqual([old.tone, old.verdict], ['caution', 'UNCHANGED, BUT ITS STATUS IS OLD'])
    assert.match(
      old.why,
      /^Unchanged since Rolling Mill notarized it\. Status of .*2026.* \(30 days ago\): ask again\.$/,
    )
    assert.notEqual(old.colour, green)
    const limit = await shown(mills.log.vkey, bundle, { now: '2026-12-22T05:30:00.000Z' })
    assert.deepEqual([limit.tone, limit.verdict, limit.colour], ['good', 'GENUINE', green])
    assert.match(limit.why, /Not withdrawn or replaced as of .* \(30 days ago\)\.$/)
    assert.equal((await shown(mills.log.vkey, bundle, { ...later, maxStatusAge: '31' })).tone, 'good')
    assert.equal((await shown(mills.log.vkey, bundle, { maxStatusAge: 'soon' })).tone, 'caution')
  })

  test('is red for a certificate that was withdrawn, and for one that was replaced, with the reason', async () => {
    const corrections = {
      withdraw: /CorrectionWithdrawn by its issuer on .*Wrong heat$/,
      replace: /CorrectionReplaced by .* by its issuer on .*Wrong heat \(transaction [0-9a-f]{64}\)$/,
    }
    for (const [action, correction] of Object.entries(corrections)) {
      const mills = openLog()
      const named = reviewed(mills)
      const next = mills.log.add(record(mill, { jsonHash: '0'.repeat(64) }), at(21))
      correct(mills, { action, ...(action === 'replace' ? { replacedBy: next.id } : {}) })
      const { log, transaction } = mills
      const { tone, verdict, facts } = await shown(log.vkey, await log.bundle(transaction, named, at(30)))
      assert.equal(tone, 'bad')
      assert.equal(verdict, action === 'replace' ? 'REPLACED' : 'WITHDRAWN')
      assert.match(facts, correction)
    }
  })

  test('is red for a bundle that was altered, and names no issuer for this file', async () => {
    const mills = openLog()
    const bundle = await mills.log.bundle(mills.transaction, reviewed(mills), at(30))
    const entry = { ...(bundle['entry'] as object), time: at(19) }
    const { tone, verdict, facts, checks } = await shown(mills.log.vkey, { ...bundle, entry })
    assert.deepEqual([tone, verdict, facts], ['bad', 'ALTERED OR FORGED', ''])
    assert.doesNotMatch(checks, /Rolling Mill/)
  })
})
