import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { enableMfa, password, signUp } from '../../test/people.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false
let server: TestServer
let browser: Browser
before(async () => {
  if (executable === undefined) return
  server = await startTestServer()
  browser = await launchChromium(executable)
})
after(async () => {
  if (executable === undefined) return
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** Calls the API like a script of our own pages. */
const readMe = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const answer = await fetch('/api/users/me', { headers: { 'x-millseal-console': '1' } })
    return answer.status
  })

/** WCAG 2.2 §1.4.3, for every text on the page and its background. Runs in the page. */
const lowestContrast = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return channels(backgroundColor)[3] === 0 ? backgroundOf(element.parentElement) : backgroundColor
  }
  return Math.min(...[...document.querySelectorAll('h1, p, label, input:not([type=hidden]), button')].map((element) => {
    const [dark, light] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance).sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }))
})()`

describe('signing in with a real browser', { skip }, () => {
  test('works with the keyboard alone, without scripts, on a narrow screen and in dark mode', async () => {
    const code = await enableMfa(server, await signUp(server, 'typist'))
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 320, height: 640 },
        javaScriptEnabled: false,
      })
      const page = await context.newPage()
      const assertReadable = async () => {
        assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320)
        assert.ok((await page.evaluate<number>(lowestContrast)) >= 4.5, `${colorScheme} ${page.url()}`)
      }
      await page.goto(`${server.url}/auth/login?return_to=/welcome`)
      await assertReadable()
      await page.keyboard.type('typist')
      await page.keyboard.press('Tab')
      await page.keyboard.type('not this one')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await assertReadable()
      assert.match(await page.getByRole('alert').innerText(), /wrong/)
      assert.equal(await page.getByLabel('User name or e-mail address').inputValue(), 'typist')
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await page.getByLabel('Code').waitFor()
      await assertReadable()
      await page.keyboard.type(code())
      await page.keyboard.press('Enter')
      await page.waitForURL(`${server.url}/welcome`)
      await assertReadable()
      await page.goto(`${server.url}/docs/api`)
      assert.equal(await readMe(page), 200)
      await context.close()
    }
  })

  test('requests that another site triggers change nothing and read nothing', async () => {
    await signUp(server, 'tempted')
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.url}/auth/login?return_to=/docs/api`)
    await page.getByLabel('User name or e-mail address').fill('tempted')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${server.url}/docs/api`)
    assert.equal(await readMe(page), 200)

    const evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<form method="post" action="${server.url}/api/auth/logout"><button>Win a prize</button></form>`,
      )
    }).listen(0, 'localhost')
    await once(evil, 'listening')
    // The other port of this host is another origin of the same site: the cookie comes along, the header cannot.
    const other = await context.newPage()
    await other.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
    const read = await other.evaluate(
      (url) =>
        fetch(`${url}/api/users/me`, { credentials: 'include', headers: { 'x-millseal-console': '1' } }).then(
          (answer) => answer.status,
          () => 'blocked',
        ),
      server.url,
    )
    assert.equal(read, 'blocked')
    const [logout] = await Promise.all([other.waitForResponse(/logout/), other.getByRole('button').click()])
    assert.match((await logout.request().allHeaders())['cookie'] ?? '', /millseal=/)
    assert.equal(logout.status(), 401)
    assert.equal(await readMe(page), 200)
    evil.close()
    await context.close()
  })
})
