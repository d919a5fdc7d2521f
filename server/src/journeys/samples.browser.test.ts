import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll, consoleOfFile } from '../../test/console.ts'
import { eventually } from '../../test/eventually.ts'
import { inChromium, shownOn } from '../../test/receiver-pages.ts'

const { skip, console } = consoleOfFile({
  environment: { MILLSEAL_SAMPLES: 'on' },
  async prepare({ server }) {
    await eventually(async () => (await (await fetch(server.url)).text()).includes('sample=genuine'), {
      what: 'the home page offers samples',
    })
  },
})

const looks = [
  { colorScheme: 'light', locale: 'en-GB' },
  { colorScheme: 'dark', locale: 'de-DE' },
] as const

const open = async (page: Page, name: string) => {
  await page.goto(console.server.url)
  await page.getByRole('link', { name }).click()
  await page.waitForURL('**/verify?sample=*')
  return shownOn(inChromium(page))
}

describe('the samples on the home page', { skip }, () => {
  test('are verified by the page that verifies any file, which shows their verdicts', async () => {
    const page = await console.open()
    const genuine = await open(page, 'Open a genuine one')
    assert.match(genuine.says, /^TEST/)
    assert.equal(genuine.tone, 'caution')
    assert.deepEqual(genuine.rows.slice(0, 2), ['yes: Unchanged', 'unknown: Issuer unknown'])
    assert.equal(genuine.rows[3], 'yes: Still valid')
    assert.doesNotMatch(genuine.text, /Not checked by Millseal/)
    const changed = await open(page, 'Open a changed one')
    assert.match(changed.says, /Changed\. Do not accept\./)
    assert.equal(changed.tone, 'bad')
    const withdrawn = await open(page, 'Open a withdrawn one')
    assert.match(withdrawn.says, /WITHDRAWN/)
    assert.equal(withdrawn.tone, 'bad')
    assert.match(withdrawn.text, /This is a sample of a withdrawn certificate/)
    console.assertNoErrors()
  })

  for (const look of looks)
    test(`have a home page that is accessible on a phone and a screen: ${look.colorScheme}, ${look.locale}`, async () => {
      const page = await console.open(look)
      await page.goto(console.server.url)
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await assertNoSidewaysScroll(page)
        await assertAccessible(page)
      }
      await page.getByRole('link', { name: /genuine|echtes/ }).click()
      await page.waitForURL('**/verify?sample=genuine')
      await shownOn(inChromium(page))
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await assertNoSidewaysScroll(page)
        await assertAccessible(page)
      }
      console.assertNoErrors()
    })
})
