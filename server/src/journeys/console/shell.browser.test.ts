import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleOfFile } from '../../../test/console.ts'
import { eventually } from '../../../test/eventually.ts'
import { password, signUp } from '../../../test/people.ts'
import { settledBox } from '../../../test/settled-box.ts'

const { console, skip } = consoleOfFile()

describe('the console', { skip }, () => {
  test('sends somebody who is not signed in to the sign-in, and back to the same address', async () => {
    await signUp(console.server, 'returning')
    const page = await console.open()
    await page.goto(`${console.server.url}/console/start?mode=test`)
    await page.waitForURL('**/oidc/**')
    await page.locator('input[name=login]').fill('returning')
    await page.locator('input[type=password]').fill(password)
    await page.locator('form button').first().click()
    await page.waitForURL('**/console/start?mode=test')
    await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor()
    console.assertNoErrors()
  })

  test('changes its language and appearance, and keeps them', async () => {
    await signUp(console.server, 'bilingual')
    const page = await console.open()
    await console.signIn(page, { username: 'bilingual' })
    await page.getByRole('button', { name: 'bilingual' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Erste Schritte' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Erste Schritte' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    console.assertNoErrors()
  })

  test('keeps its navigation in place while a long page scrolls', async () => {
    await signUp(console.server, 'scroller')
    const page = await console.open({ viewport: { width: 1280, height: 500 } })
    await console.signIn(page, { username: 'scroller' }, '/me')
    const link = page.getByRole('navigation').getByRole('link', { name: 'My account' })
    const before = await settledBox(link)
    // The page is long only once its parts are there.
    await eventually(() => page.evaluate<boolean>('scrollTo(0, 300), scrollY >= 100'))
    assert.deepEqual(await settledBox(link), before)
    console.assertNoErrors()
  })
})
