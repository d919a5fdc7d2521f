import { setTimeout as pause } from 'node:timers/promises'
import { attachEmbedded } from '../../../server/src/adapters/database/embedded/attach.ts'
import { findChromium, launchChromium } from '../../../server/test/chromium.ts'
import { fillSteel, pasteChemistry } from '../../../server/test/console-form.ts'
import { scrollOn } from '../../../server/test/console-mill.ts'
import { fillCertificates } from '../../../server/test/many-certificates.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { freshVatId } from '../../../server/test/vat-ids.ts'
import { type Mill, startMill } from '../product.ts'
import { median } from '../rounds.ts'
import { type Bench, Skipped } from '../row.ts'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const rows = 10_000
const steps = 60
const rounds = 3
const slower = 4

/** Collects what the browser says about painting and input. */
const collector = `
  globalThis.seen = { lcpMs: 0, events: [], fieldsMs: 0 }
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.lcpMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.events.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
`

/** Work of a page that is nothing of ours: numbers, and elements that are laid out. */
const calibration = `(() => {
  const startedMs = performance.now()
  let sum = 0
  for (let at = 0; at < 2_000_000; at += 1) sum += Math.sqrt(at)
  for (let at = 0; at < 2_000; at += 1) {
    const line = document.createElement('p')
    line.textContent = 'Row ' + at + ' ' + sum
    document.body.append(line)
  }
  document.body.getBoundingClientRect()
  return performance.now() - startedMs
})()`

/** Measures from the release of a button until a field has the focus and is on the screen. */
const watchFields = `{
  let releasedMs = 0
  addEventListener('click', ({ timeStamp }) => (releasedMs = timeStamp), { capture: true, once: true })
  document.addEventListener('focusin', function listen({ target }) {
    if (target.localName !== 'input') return
    document.removeEventListener('focusin', listen)
    requestAnimationFrame(() => setTimeout(() => (seen.fieldsMs = performance.now() - releasedMs)))
  })
}`

/** How long a person presses a button. */
const pressMs = 80

type Opened = { readonly page: Page; readonly close: () => Promise<void> }

/** The console with an empty cache, signed in, on a processor so many times slower. */
const openPage = async (browser: Browser, url: string, slowdown: number): Promise<Opened> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  await context.addInitScript(collector)
  const page = await context.newPage()
  await page.goto(`${url}/auth/login?return_to=/auth/login`)
  await page.locator('input[name=login]').fill('measurer')
  await page.locator('input[type=password]').fill('correct horse battery')
  await page.locator('form button').first().click()
  await page.waitForURL((address) => !address.pathname.startsWith('/oidc'))
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, close: () => context.close() }
}

const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await pause(500)
}

/** The longest time from an input until the screen shows it, in milliseconds; 16 if all were shorter. */
const worstInput = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await settle(page)
  await page.evaluate('void (seen.events.length = 0)')
  await act()
  await settle(page)
  return page.evaluate<number>('Math.max(16, ...seen.events)')
}

const paintOf = async (browser: Browser, url: string, slowdown: number): Promise<number> => {
  const { page, close } = await openPage(browser, url, slowdown)
  await page.goto(`${url}/console/certificates`)
  await page.getByRole('gridcell').first().waitFor()
  await settle(page)
  const paint = await page.evaluate<number>('seen.lcpMs')
  await close()
  return paint
}

type Inputs = Readonly<Record<'key' | 'scroll' | 'dialog' | 'fields' | 'calibration' | 'blank', number>>

const inputsOf = async (browser: Browser, url: string): Promise<Inputs> => {
  const { page, close } = await openPage(browser, url, slower)
  await page.goto('about:blank')
  const calibrated = await page.evaluate<number>(calibration)
  await page.goto(`${url}/console/new/form?family=en10168&version=1.0.0`)
  await fillSteel(page, 'BENCH-1')
  await pasteChemistry(page)
  const field = page.getByRole('textbox', { name: 'A07' })
  await field.focus()
  const key = await worstInput(page, () => page.keyboard.type('0123456789', { delay: 120 }))
  await page.goto(`${url}/console/certificates`)
  await page.getByRole('gridcell').first().waitFor()
  await page.getByRole('grid').focus()
  let blank = 0
  const scroll = await worstInput(page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await page.keyboard.press('PageDown')
      if ((await scrollOn(page)).blank !== null) blank += 1
    }
  })
  await page.goto(`${url}/console/members`)
  const button = page.getByRole('button', { name: 'Invite a member' })
  await button.hover()
  const dialog = await worstInput(page, async () => {
    await page.evaluate(watchFields)
    await button.click({ delay: pressMs })
    await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor()
  })
  const fields = await page.evaluate<number>('seen.fieldsMs')
  await close()
  return { key, scroll, dialog, fields, calibration: calibrated, blank }
}

const fill = async (mill: Mill, folder: string): Promise<void> => {
  await using database = await attachEmbedded({
    dataDir: folder,
    applicationName: 'bench',
    maxConnections: 1,
    log: silentLog,
  })
  if (database === undefined) throw new Error('The server has no embedded database')
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const small = { name: 'A Small Mill', vatId: freshVatId(), address }
  const { id: smallCompanyId } = await mill.api('POST', '/companies', small)
  await fillCertificates(database.connection, { rows, companyId: mill.company, smallCompanyId })
}

const times = async <T>(work: () => Promise<T>): Promise<readonly T[]> => {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) results.push(await work())
  return results
}

/** What a person waits for in the console: the first paint, a key, a page of the list, a dialog. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const executable = findChromium({ showsPdfs: true })
  if (executable === undefined) throw new Skipped('there is no chromium on this machine')
  await using mill = await startMill(folder)
  await fill(mill, folder)
  const browser = await launchChromium(executable)
  try {
    // Cookies belong to a name, and the pages of the sign-in are at the public one.
    const url = mill.url.replace('127.0.0.1', 'localhost')
    const note = `median of ${rounds}, ${rows} certificates`
    const paint = async (slowdown: number) =>
      median([...(await times(() => paintOf(browser, url, slowdown)))])
    report.value('largest contentful paint, empty cache', (await paint(1)) / 1_000, 's', {
      goal: { atMost: 1 },
      note,
    })
    report.value('… with a processor 4 times slower', (await paint(slower)) / 1_000, 's', {
      goal: { atMost: 2 },
      note,
    })
    const all = await times(() => inputsOf(browser, url))
    for (const [name, label] of [
      ['key', 'a key in the form of EN 10168, 4 times slower, the worst of 10'],
      ['scroll', `a page down in the list, 4 times slower, the worst of ${steps}`],
      ['dialog', 'a dialog opened, 4 times slower, until its title is there'],
    ] as const) {
      const worst = median(all.map((inputs) => inputs[name]))
      report.value(label, worst, 'ms', { goal: { atMost: 100 }, note })
      report.ratio(
        '… : a page that is not ours',
        all.map((inputs) => inputs[name] / inputs.calibration),
      )
    }
    const fields = median(all.map((inputs) => inputs.fields))
    report.value('… until its first field can be typed into', fields, 'ms', { note })
    const blank = Math.max(...all.map((inputs) => inputs.blank))
    if (blank > 0) throw new Error(`${blank} of ${steps} steps of the list had a place without a row`)
  } finally {
    await browser.close()
  }
}
