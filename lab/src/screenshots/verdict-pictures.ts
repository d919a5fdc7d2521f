import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { canonicalJson } from '@millseal/proof'
import { createTestLog, didOfOwner, ownerOf, record } from '@millseal/proof/testing'
import { offlineVerifyPage } from '../../../server/src/http/verify-page/verify-files.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { listenForFiles } from '../../../server/test/chromium.ts'
import { smallPng } from './small-png.ts'
import type { Picture } from './take-pictures.ts'

const mill = ownerOf(1)
const other = ownerOf(9)
const who = { did: didOfOwner(mill), company: 'Rolling Mill', vatId: 'DE123456789' }
const at = (minute: number): string => new Date(Date.now() - (60 - minute) * 60_000).toISOString()

const textOf = (carbon: string): string => {
  const certificate = sampleCertificate({ number: '2026-1042' })
  Object.assign(certificate.Certificate.Inspection.ChemicalComposition.C71, { Actual: { Value: carbon } })
  return canonicalJson(certificate)
}
const original = textOf('0.17')
const jsonHash = createHash('sha256').update(original).digest('hex')

type Drop = {
  readonly vkey: string
  readonly files: Readonly<Record<string, string>>
  readonly policy: object | undefined
}
/** A certificate and its bundle, from a log in memory. */
const issued = async ({
  mode,
  isReviewed,
  correction,
  policy,
  daysOld = 0,
}: {
  readonly mode?: 'test'
  readonly isReviewed?: false
  /** Members of a correction by the mill, of its transaction and the one that replaces it. */
  readonly correction?: (id: string, next: string) => Readonly<Record<string, string>>
  readonly policy?: object
  readonly daysOld?: number
} = {}): Promise<Drop> => {
  const log = createTestLog(`mill.example/ledger/${mode ?? 'live'}`)
  const time = (minute: number): string =>
    new Date(Date.parse(at(minute)) - daysOld * 86_400_000).toISOString()
  const key = { type: 'identity', publicKey: mill.publicKey, ...who }
  const identity = log.add(record(mill, key), time(1))
  const review = { type: 'review', ...who, reviewedAt: time(2), evidence: jsonHash }
  const confirmed = isReviewed === false ? {} : { review: log.add(record(log.operator, review), time(3)) }
  const entry = log.add(record(mill, { jsonHash }), time(20))
  if (correction !== undefined) {
    const next = log.add(record(mill, { jsonHash: '0'.repeat(64) }), time(21))
    log.add(record(mill, { type: 'correction', ...correction(entry.id, next.id) }), time(22))
  }
  const bundle = JSON.stringify(await log.bundle(entry, { identity, ...confirmed }, time(30)))
  return {
    vkey: log.vkey,
    files: { 'certificate.json': original, 'bundle.json': bundle },
    policy: policy && { logs: [log.vkey], ...policy },
  }
}

const changed = async (): Promise<Drop> => {
  const drop = await issued()
  const altered = { ...drop.files, 'certificate.json': textOf('0.12'), 'original.json': original }
  return { ...drop, files: altered }
}

const drops: Readonly<Record<string, () => Promise<Drop>>> = {
  genuine: issued,
  changed,
  'old-status': () => issued({ daysOld: 45 }),
  test: () => issued({ mode: 'test' }),
  'unknown-issuer': () => issued({ isReviewed: false }),
  refused: () =>
    issued({
      policy: { onlyKnownIssuers: true, issuers: [{ did: didOfOwner(other), name: 'Another Mill' }] },
    }),
  withdrawn: () =>
    issued({ correction: (transactionId) => ({ action: 'withdraw', transactionId, reason: 'Wrong heat' }) }),
  replaced: () =>
    issued({
      correction: (transactionId, replacedBy) => ({
        action: 'replace',
        transactionId,
        replacedBy,
        reason: 'Wrong heat',
      }),
    }),
  revoked: () =>
    issued({
      correction: () => ({
        action: 'revoke-key',
        did: who.did,
        since: at(10),
        reason: 'The key was stolen',
      }),
    }),
}

/** Every verdict of the saved page, which asks no server, in each language. */
export const takeVerdicts = async (
  browser: Browser,
  save: (picture: Picture) => Promise<void>,
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-verdicts-'))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  let saved = 0
  try {
    for (const [name, make] of Object.entries(drops)) {
      const page = await context.newPage()
      listenForFiles(page)
      await choose(page, folder, await make())
      for (const language of ['en', 'de']) {
        const button = page.locator(`button[lang=${language}]`)
        if ((await button.count()) > 0) await button.click()
        await page.locator(`.page[lang=${language}] #verdict:not(:empty)`).waitFor()
        // Of several files, the worst comes first, folded.
        if (name === 'changed') await page.locator('#result summary').first().click()
        await save({ name: `${name}-${language}`, png: smallPng(await page.screenshot({ fullPage: true })) })
        saved += 1
      }
      await page.close()
    }
  } finally {
    await context.close()
    await rm(folder, { recursive: true })
  }
  return saved
}

const choose = async (page: Page, folder: string, { vkey, files, policy }: Drop): Promise<void> => {
  const html = offlineVerifyPage(policy === undefined ? { keys: [vkey] } : { policy: JSON.stringify(policy) })
  const path = join(folder, 'verify.html')
  await writeFile(path, html)
  await page.goto(pathToFileURL(path).href)
  await page.setInputFiles(
    '#file',
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })),
  )
  await page.locator('#verdict:not(:empty)').first().waitFor()
}
