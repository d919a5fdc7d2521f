import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { addressesOf, declaredRoutes, fillScreens, type Places } from '../../../test/console-screens.ts'
import { assertDialogByKeys, faultsOfTabs } from '../../../test/console-keys.ts'
import { axeRules, type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { eventually } from '../../../test/eventually.ts'
import { signUp } from '../../../test/people.ts'
import { makeOperatorIn } from '../../compose/commands.ts'

const skip = await lacksChromium()
let console: Console
let places: Places
before(async () => {
  if (skip !== false) return
  console = await startConsole()
  places = (await fillScreens(console.server)).places
  await signUp(console.server, 'newcomer')
  const { email } = await signUp(console.server, 'alone-for-now')
  await makeOperatorIn(console.server.config, { email })
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

const widths = [360, 768, 1280, 2560]
const themes = ['light', 'dark'] as const

/** Resolves when the screen has its title and no call is under way. */
const watchCalls = (page: Page): (() => Promise<void>) => {
  let open = 0
  page.on('request', () => (open += 1))
  page.on('requestfinished', () => (open -= 1))
  page.on('requestfailed', () => (open -= 1))
  const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
  return async () => {
    await page.locator('h1').first().waitFor()
    await eventually(async () => {
      if (open > 0) return false
      await page.evaluate(twoFrames)
      return open <= 0
    })
  }
}

/** Words that their box hides. Cells of a list may end in an ellipsis: their line opens the whole. */
const cutTexts = `[...document.querySelectorAll('main *, nav *, .band')]
  .filter((element) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
    if (element.clientWidth <= 1 || element.closest('.hidden-visually') !== null) return false
    const hides = /hidden|clip/.test(overflowX + overflowY) || element.matches('button, .button, .chip, .state')
    return (
      hides &&
      textOverflow !== 'ellipsis' &&
      element.textContent.trim() !== '' &&
      (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3)
    )
  })
  .map((element) => element.className + ': ' + element.textContent.slice(0, 60))`

const faultsOf = async (page: Page, withAxe: boolean): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const content = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (content > width) faults.push(`${width} px: ${content} px of content`)
    const cut = await page.evaluate<string[]>(cutTexts)
    faults.push(...cut.map((text) => `${width} px: cut: ${text}`))
  }
  if (!withAxe) return faults
  // On a phone in one theme, and on a wide window in the other.
  for (const [at, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: at === 0 ? 1280 : 360, height: 900 })
    const { violations } = await new AxeBuilder({ page }).withTags(axeRules).analyze()
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html.slice(0, 200)}`))
  }
  return faults
}

describe('every screen', { skip }, () => {
  test('is in the table of addresses', () => {
    assert.deepEqual(declaredRoutes().toSorted(), Object.keys(addressesOf).toSorted())
  })

  for (const [username, role, locale, withAxe] of [
    ['everything', 'an admin and operator', 'en-GB', true],
    ['everything', 'an admin and operator', 'de-DE', true],
    ['reader', 'a reader', 'de-DE', false],
    ['newcomer', 'somebody without a company', 'en-GB', false],
    ['alone-for-now', 'an operator without a company', 'en-GB', false],
  ] as const)
    test(`fits every window and is accessible in both themes, for ${role}, ${locale}`, async () => {
      const page = await console.open({ locale, colorScheme: 'light' })
      await console.signIn(page, { username })
      const isDrawn = watchCalls(page)
      const faults: string[] = []
      for (const address of Object.values(addressesOf).flatMap((of) => of(places))) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(`${console.server.url}/console${address}`)
        await isDrawn()
        const found = await faultsOf(page, withAxe)
        faults.push(...found.map((fault) => `${address}: ${fault}`))
      }
      assert.deepEqual(faults, [])
      assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2))
      console.assertNoErrors()
    })

  test('is reached by the tab key from the link to its content on, in the order of the page, and shows the focus', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' })
    const isDrawn = watchCalls(page)
    const faults: string[] = []
    for (const address of Object.values(addressesOf).flatMap((of) => of(places))) {
      await page.goto(`${console.server.url}/console${address}`)
      await isDrawn()
      // The window of somebody who signed in again has nothing around it.
      if (address === '/signed-in') continue
      const found = await faultsOfTabs(page)
      faults.push(...found.map((fault) => `${address}: ${fault}`))
    }
    assert.deepEqual(faults, [])
    console.assertNoErrors()
  })

  test('keeps the focus in its dialogs, which Escape closes, and returns it', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' })
    for (const [address, name] of [
      ['/members', 'Invite a member'],
      ['/automation', 'Add an application'],
      ['/keys', 'New identity'],
      [`/keys/${places.identity}`, 'Revoke'],
      [`/certificates/${places.certificate}`, 'Withdraw'],
    ] as const) {
      await page.goto(`${console.server.url}/console${address}`)
      await assertDialogByKeys(page, page.getByRole('button', { name, exact: true }))
    }
    console.assertNoErrors()
  })
})
