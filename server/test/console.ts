import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { findChromium, launchChromium, listenForFiles, type Wanted } from './chromium.ts'
import { password as everybodysPassword } from './people.ts'
import { startOwnServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** Why the stories of the console cannot run here, or false. */
export const lacksChromium = (wanted?: Wanted): string | false =>
  findChromium(wanted) === undefined && 'there is no chromium on this machine'

export type Console = AsyncDisposable & {
  readonly server: TestServer
  readonly browser: Browser
  /** A browser of its own, with its own cookies and storage. Every error on its pages fails `assertNoErrors`. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Signs in through the pages of the server and opens a screen: `/certificates`. */
  signIn(
    page: Page,
    person: { username: string; password?: string; code?: () => string },
    screen?: string,
    url?: string,
  ): Promise<void>
  /** Since the last time, no page has thrown, broken its policy or logged an error, except those that match. */
  assertNoErrors(expected?: RegExp): void
}

/** The whole product with a real browser. */
export const startConsole = async ({
  showsPdfs,
  ...options
}: TestServerOptions & Wanted = {}): Promise<Console> => {
  const executable = findChromium({ showsPdfs })
  if (executable === undefined) throw new Error('There is no chromium on this machine')
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startOwnServer(options))
  const browser = await launchChromium(executable)
  opened.defer(() => browser.close())
  const errors: string[] = []
  const stack = opened.move()
  return {
    server,
    browser,
    async open(given = {}) {
      const context = await browser.newContext({
        locale: 'en-GB',
        viewport: { width: 1280, height: 900 },
        ...given,
      })
      context.on('page', (page) => {
        watch(page, errors)
        listenForFiles(page)
      })
      return context.newPage()
    },
    async signIn(
      page,
      { username, password = everybodysPassword, code },
      screen = '/start',
      url = server.url,
    ) {
      await page.goto(`${url}/auth/login?return_to=${encodeURIComponent(`/console${screen}`)}`)
      await page.getByLabel(/name or e-mail|Benutzername/i).fill(username)
      await page.locator('input[type=password]').fill(password)
      await page.locator('form button').first().click()
      if (code !== undefined) {
        await page.locator('input[name=code]').fill(code())
        await page.locator('form button').first().click()
      }
      await page.waitForURL(`**/console${screen.split('?', 1)[0]}**`)
    },
    assertNoErrors(expected = /(?!)/) {
      const unexpected = errors.splice(0).filter((error) => !expected.test(error))
      assert.deepEqual(unexpected, [])
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type OfFile = TestServerOptions &
  Wanted & {
    /** What the tests of the file find there. */
    readonly prepare?: (console: Console) => Promise<void>
  }

/** The console of a test file, open from its first to its last test. `skip` says why its tests cannot run here, or is false. */
export const consoleOfFile = ({ prepare, ...options }: OfFile = {}) => {
  const skip = lacksChromium(options)
  let opened: Console | undefined
  before(async () => {
    if (skip !== false) return
    opened = await startConsole(options)
    await prepare?.(opened)
  })
  after(async () => opened?.[Symbol.asyncDispose]())
  const get = (): Console => opened ?? assert.fail('The console is opened before the first test')
  const console: Omit<Console, typeof Symbol.asyncDispose> = {
    get server() {
      return get().server
    },
    get browser() {
      return get().browser
    },
    open: (given) => get().open(given),
    signIn: (...given) => get().signIn(...given),
    assertNoErrors: (expected) => get().assertNoErrors(expected),
  }
  return { skip, console }
}

const watch = (page: Page, errors: string[]): void => {
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // The browser logs every refused call; the screens show them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
}

/** WCAG 2.2 AA, as far as a program can tell, in the theme and width that the page has. */
export const assertAccessible = async (page: Page): Promise<void> =>
  assert.deepEqual(await findViolations(page), [], `${page.url()} is not accessible`)

/** Nothing is wider than the window. */
export const assertNoSidewaysScroll = async (page: Page): Promise<void> => {
  const widths = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  )
  assert.ok(widths[0] <= widths[1], `${page.url()}: ${widths[0]} px of content in ${widths[1]} px`)
}
