import { setTimeout as pause } from 'node:timers/promises'
import { findChromium, launchChromium } from '../../../server/test/chromium.ts'
import { fillSteel, pasteChemistry } from '../../../server/test/console-form.ts'
import { scrollOn } from '../../../server/test/console-mill.ts'
import { alternate, type Bench, Skipped } from '../measuring.ts'
import { fillMill, startMill } from '../product.ts'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const [rows, steps, slower] = [10_000, 60, 4]

/** Collects what the browser says about painting and input. */
const collector = `
  globalThis.seen = { lcpMs: 0, events: [] }
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

/** The console with an empty cache, signed in, on a processor so many times slower. */
const openPage = async (browser: Browser, url: string, slowdown: number): Promise<Page> => {
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
  return page
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
  const page = await openPage(browser, url, slowdown)
  await page.goto(`${url}/console/certificates`)
  await page.getByRole('gridcell').first().waitFor()
  await settle(page)
  const paint = await page.evaluate<number>('seen.lcpMs')
  await page.context().close()
  return paint
}

const inputsOf = async (browser: Browser, url: string) => {
  const page = await openPage(browser, url, slower)
  await page.goto('about:blank')
  const calibrated = await page.evaluate<number>(calibration)
  await page.goto(`${url}/console/new/form?family=en10168&version=1.0.0`)
  await fillSteel(page, 'BENCH-1')
  await pasteChemistry(page)
  await page.getByRole('textbox', { name: 'A07' }).focus()
  const key = await worstInput(page, () => page.keyboard.type('0123456789', { delay: 120 }))
  await page.goto(`${url}/console/certificates`)
  await page.getByRole('gridcell').first().waitFor()
  await page.getByRole('grid').focus()
  const scroll = await worstInput(page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await page.keyboard.press('PageDown')
      if ((await scrollOn(page)).blank !== null) throw new Error('The list had a place without a row')
    }
  })
  await page.goto(`${url}/console/members`)
  const button = page.getByRole('button', { name: 'Invite a member' })
  await button.hover()
  const dialog = await worstInput(page, async () => {
    // As long as a person presses a button.
    await button.click({ delay: 80 })
    await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor()
  })
  await page.context().close()
  return { key, scroll, dialog, calibration: calibrated }
}

/** What a person waits for in the console: the first paint, a key, a page of the list, a dialog. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const executable = findChromium({ showsPdfs: true })
  if (executable === undefined) throw new Skipped('there is no chromium on this machine')
  await using mill = await startMill(folder)
  await fillMill(mill, folder, rows)
  await using browser = await launchChromium(executable)
  // Cookies belong to a name, and the pages of the sign-in are at the public one.
  const url = mill.url.replace('127.0.0.1', 'localhost')
  const { medians } = await alternate({
    paint: async () => ({ ms: await paintOf(browser, url, 1) }),
    slow: async () => ({ ms: await paintOf(browser, url, slower) }),
    inputs: () => inputsOf(browser, url),
  })
  const { paint, slow, inputs } = medians
  const note = `median of 3, ${rows} certificates`
  report.value('largest contentful paint, empty cache', paint.ms / 1_000, 's', { atMost: 1, note })
  report.value('… with a processor 4 times slower', slow.ms / 1_000, 's', { atMost: 2, note })
  const goal = { atMost: 100, note }
  report.value('a key in the form of EN 10168, 4 times slower, the worst of 10', inputs.key, 'ms', goal)
  report.value(`a page down in the list, 4 times slower, the worst of ${steps}`, inputs.scroll, 'ms', goal)
  report.value('a dialog opened, 4 times slower, until its title is there', inputs.dialog, 'ms', goal)
  report.value('for comparison: work of a page that is not ours, 4 times slower', inputs.calibration, 'ms')
}
