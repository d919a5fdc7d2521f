import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from '../../test/axe.ts'
import { assertNoSidewaysScroll, consoleOfFile } from '../../test/console.ts'

const { console, skip } = consoleOfFile()
const names = ['', '/console', '/quick-start', '/certificates', '/authorization', '/operating', '/asvs']

const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

describe('the documentation of an installation', { skip }, () => {
  test('is accessible and fits a phone and a screen, in both themes, with its list of pages open and closed', async () => {
    const page = await console.open()
    const missing: string[] = []
    page.on('response', (answer) => answer.ok() || missing.push(answer.url()))
    for (const name of names) {
      await page.goto(`${console.server.url}/docs/guide${name}`)
      const list = page.getByRole('navigation', { name: 'Pages of the documentation' })
      for (const width of [390, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        await assertNoSidewaysScroll(page)
      }
      const backgrounds: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        backgrounds.push(await backgroundOf(page))
        await page.setViewportSize({ width: 1280, height: 900 })
        assert.deepEqual(await findViolations(page), [], `${name} ${colorScheme}`)
        await page.setViewportSize({ width: 390, height: 900 })
        assert.deepEqual(await findViolations(page), [], `${name} ${colorScheme}, phone`)
        await page.getByRole('button', { name: 'All pages' }).click()
        await list.waitFor()
        assert.deepEqual(await findViolations(page), [], `${name} ${colorScheme}, list open`)
        await page.keyboard.press('Escape')
        await list.waitFor({ state: 'hidden' })
      }
      assert.equal(new Set(backgrounds).size, 2)
    }
    assert.match(
      await page.evaluate<string>('getComputedStyle(document.body).fontFamily'),
      /^"IBM Plex Sans"/,
    )
    assert.deepEqual(missing, [])
    console.assertNoErrors()
  })

  test('is accessible on every page', async () => {
    const page = await console.open()
    await page.goto(`${console.server.url}/docs/guide`)
    const links = await page.locator('#pages a').all()
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')))
    assert.ok(paths.length > 30)
    for (const path of paths) {
      await page.goto(`${console.server.url}${path}`)
      assert.deepEqual(await findViolations(page), [], path ?? '')
    }
    console.assertNoErrors()
  })

  test('leads from page to page without a script; a wide window shows all pages, a phone on demand', async () => {
    const page = await console.open({ javaScriptEnabled: false })
    await page.goto(`${console.server.url}/docs/guide`)
    const list = page.getByRole('navigation', { name: 'Pages of the documentation' })
    await list.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    await list.getByRole('link', { name: 'Customers' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'All pages' }).focus()
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'Customers' }).click()
    await page.waitForURL('**/docs/guide/customers')
    console.assertNoErrors()
  })

  test('prints the page without what surrounds it', async () => {
    const page = await console.open({ colorScheme: 'dark' })
    await page.goto(`${console.server.url}/docs/guide/quick-start`)
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const part of await page.getByRole('navigation').all()) assert.equal(await part.isVisible(), false)
    assert.equal(await backgroundOf(page), 'rgb(255, 255, 255)')
    await page.setViewportSize({ width: 700, height: 900 })
    await assertNoSidewaysScroll(page)
    console.assertNoErrors()
  })
})
