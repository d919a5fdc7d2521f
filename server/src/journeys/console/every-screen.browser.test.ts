import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { faultsOfScreen, type Looks } from '../../../test/console-faults.ts'
import { assertDialogByKeys, faultsOfTabs } from '../../../test/console-keys.ts'
import { addressesOf, declaredRoutes, fillScreens, type Places } from '../../../test/console-screens.ts'
import { everyScreen } from '../../../test/console-sweep.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { settledBox } from '../../../test/settled-box.ts'

/** In German, all rules at 360 px in the light theme, and colours at 1280 px in the dark one. */
const looks: Looks = [
  ['light', 1280],
  ['dark', 360, 'colours'],
]

let places: Places
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    places = (await fillScreens(server)).places
  },
})

/** The page of the documentation that the one link in the frame leads to. */
const helpOf = async (page: Page): Promise<string> => {
  const link = page.getByRole('navigation').getByRole('link', { name: 'Help', exact: true })
  assert.equal(await link.getAttribute('target'), '_blank')
  return (await link.getAttribute('href')) ?? ''
}

const assertExists = async (url: string, help: string): Promise<void> => {
  const [path = '', anchor] = help.split('#')
  const answer = await fetch(`${url}${path}`)
  assert.equal(answer.status, 200, help)
  if (anchor !== undefined) assert.ok((await answer.text()).includes(` id="${anchor}"`), help)
}

describe('every screen', { skip }, () => {
  test('is in the table of addresses', () => {
    assert.deepEqual(declaredRoutes().toSorted(), Object.keys(addressesOf).toSorted())
  })

  test('fits every window, is accessible in both themes, and the tab key reaches all of it in the order of the page', async () => {
    const page = await console.open({ colorScheme: 'light' })
    await console.signIn(page, { username: 'everything' })
    const faults: string[] = []
    const { url } = console.server
    const helps: string[] = []
    for await (const address of everyScreen(page, { url, places, loadsRoutes: true })) {
      // The window of somebody who signed in again has nothing around it.
      const isAlone = address === '/signed-in'
      if (!isAlone) helps.push(await helpOf(page))
      const byKeys = isAlone ? [] : await faultsOfTabs(page)
      const found = [...byKeys, ...(await faultsOfScreen(page, looks))]
      faults.push(...found.map((fault) => `${address}: ${fault}`))
    }
    assert.deepEqual(faults, [])
    for (const help of helps) await assertExists(url, help)
    assert.ok(new Set(helps).size > 20, 'each screen has the page about it')
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    console.assertNoErrors()
  })

  test('keeps the focus in its dialogs, which Escape and Cancel close without a change, and returns it; their act is at the lower end', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' })
    const changes: string[] = []
    for (const [address, name] of [
      ['/members', 'Invite a member'],
      ['/automation', 'Add an application'],
      ['/mails', 'Add a mail hook'],
      ['/keys', 'New identity'],
      [`/keys/${places.identity}`, 'Revoke'],
      [`/webhooks/${places.webhook}`, 'New secret'],
      [`/certificates/${places.certificate}`, 'Withdraw'],
      [`/certificates/${places.certificate}/replace`, 'One that is notarized already'],
    ] as const) {
      await page.goto(`${console.server.url}/console${address}`)
      const button = page.getByRole('button', { name, exact: true })
      await assertDialogByKeys(page, button)
      const noteChange = (request: Request) => {
        if (request.method() !== 'GET') changes.push(`${name}: ${request.method()} ${request.url()}`)
      }
      page.on('request', noteChange)
      await button.click()
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
      const cancel = dialog.getByRole('button', { name: 'Cancel' })
      const act = dialog.locator('.actions button').last()
      const [left, right, end] = [
        await settledBox(cancel),
        await settledBox(act),
        await settledBox(dialog.locator('.actions')),
      ]
      assert.ok(left.x + left.width < right.x, `${name}: Cancel is before the act`)
      assert.equal(right.x + right.width, end.x + end.width, `${name}: the act is at the end`)
      await cancel.click()
      await dialog.waitFor({ state: 'detached' })
      await button.and(page.locator(':focus')).waitFor()
      page.off('request', noteChange)
    }
    assert.deepEqual(changes, [])
    console.assertNoErrors()
  })
})

describe('a form on a screen', { skip }, () => {
  test('has its button where a dialog has it', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' })
    for (const address of ['/me', '/company', '/company/new']) {
      await page.goto(`${console.server.url}/console${address}`)
      const form = page.getByRole('main').locator('form:not(.inline)').first()
      const around = await settledBox(form)
      const button = await settledBox(form.locator('button[type=submit]'))
      assert.equal(button.x + button.width, around.x + around.width, address)
    }
    console.assertNoErrors()
  })
})

describe('transactions', { skip }, () => {
  test('lead to the certificate, identity or correction that they recorded, and are found from there', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' }, `/certificates/${places.withdrawn}`)
    await page.getByRole('link', { name: 'Transactions of this certificate' }).click()
    const list = page.getByRole('table', { name: 'Transactions of the company' })
    await list.getByRole('link', { name: 'Certificate notarized' }).waitFor()
    await page.getByRole('status').getByText('2 of 2').waitFor()
    await list.getByRole('link', { name: 'Certificate withdrawn' }).click()
    await page.getByRole('heading', { name: 'Certificate withdrawn', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'The transaction that this one corrects' }).click()
    await page.getByRole('heading', { name: 'Certificate notarized', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Certificate A-2026/0002' }).click()
    await page.getByRole('heading', { name: 'A-2026/0002', level: 1 }).waitFor()

    await page.goto(`${console.server.url}/console/keys/${places.identity}`)
    await page.getByRole('link', { name: 'Its transactions' }).click()
    await list.getByRole('link', { name: 'Certificate withdrawn' }).waitFor()
    await page.goto(`${console.server.url}/console/transactions?kind=identity`)
    await list.getByRole('link', { name: 'Identity made public' }).click()
    await page
      .getByRole('list', { name: 'Who signed what' })
      .getByRole('link', { name: /^Identity / })
      .click()
    await page.waitForURL(`**/console/keys/${places.identity}**`)

    await page.goto(`${console.server.url}/console/transactions?about=nothing-has-this`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).last().click()
    await list.getByRole('link', { name: 'Certificate withdrawn' }).waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    const layout = "getComputedStyle(document.querySelector('tbody tr')).display"
    assert.equal(await page.evaluate(layout), 'grid', 'each line is a card on a phone')
    console.assertNoErrors()
  })
})
