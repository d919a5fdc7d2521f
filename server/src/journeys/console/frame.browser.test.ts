import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { findViolations } from '../../../test/axe.ts'
import { openMill } from '../../../test/console-mill.ts'
import { assertAccessible, consoleOfFile } from '../../../test/console.ts'
import { newOwner } from '../../../test/machines.ts'
import { enableMfa, signUp, signUpOperator, verifyCompany } from '../../../test/people.ts'
import { settledBox } from '../../../test/settled-box.ts'

const { console, skip } = consoleOfFile()

describe('the frame of the console', { skip }, () => {
  test('says company, mode and person above all links, and is readable in both modes and themes', async () => {
    const { server } = console
    const { admin, company } = await newOwner(server, 'both-modes')
    const code = await enableMfa(server, admin)
    await verifyCompany(server, await signUpOperator(server), company.id)
    const supplier = await openMill(server, 'its-supplier')
    await supplier.notarize({ number: 'S-1', receiver: company.vatId })
    const page = await console.open()
    await console.signIn(page, { username: 'both-modes', code }, '/certificates?mode=test')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    const first = navigation.getByRole('link').first()
    await navigation.getByText('1 new').waitFor()
    const mode = navigation.getByRole('button', { name: 'Mode: Test' })
    for (const part of [
      navigation.getByText(company.name),
      mode,
      navigation.getByRole('button', { name: 'both-modes' }),
    ]) {
      const { y, height } = await settledBox(part)
      assert.ok(y + height < (await settledBox(first)).y)
    }
    const colours: string[] = []
    const look = async () => {
      colours.push(
        await page.evaluate<string>("getComputedStyle(document.querySelector('.mode')).backgroundColor"),
      )
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findViolations(page, { onlyColours: true }), [], colorScheme)
      }
    }
    await look()
    await mode.click()
    await page.getByRole('menuitemradio', { name: 'Live' }).click()
    await page.waitForURL('**/certificates?mode=live**')
    await navigation.getByRole('button', { name: 'Mode: Live' }).waitFor()
    await look()
    assert.equal(new Set(colours).size, 2, 'the colour tells the mode')
    console.assertNoErrors()
  })

  test('leads to the page about the screen in a new tab, from a phone as well, and says in German that it is English', async () => {
    await newOwner(console.server, 'needs-help')
    const page = await console.open()
    const help = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
    await console.signIn(page, { username: console.server.nameOf('needs-help') }, '/webhooks/new')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const opened = page.waitForEvent('popup')
    await help('Help').click()
    const guide = await opened
    await guide.waitForURL('**/docs/guide/webhooks#write-a-receiver')
    await guide.getByRole('heading', { name: 'Write a receiver' }).waitFor()
    await assertAccessible(guide)
    await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    assert.equal(await help('Help').getAttribute('href'), '/docs/guide/customers')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await help('Help').waitFor()
    const german = await console.open({ locale: 'de-DE' })
    await console.signIn(german, { username: console.server.nameOf('needs-help') }, '/keys')
    const inGerman = german.getByRole('link', { name: 'Hilfe (englisch)', exact: true })
    assert.equal(await inGerman.getAttribute('hreflang'), 'en')
    assert.equal(await inGerman.getAttribute('href'), '/docs/guide/keys')
    console.assertNoErrors()
  })

  for (const [what, path] of [
    ['a page', '/no-such-screen'],
    ['a page below a screen', '/certificates/one/too-many'],
    ['a certificate', `/certificates/${randomUUID()}`],
    ['a webhook', `/webhooks/${randomUUID()}`],
  ] as const)
    test(`stays around ${what} that does not exist`, async () => {
      const username = `wanderer-${path.split('/').length}-${randomUUID().slice(0, 8)}`
      await newOwner(console.server, username)
      const page = await console.open()
      await console.signIn(page, { username: console.server.nameOf(username) }, path)
      await page.getByRole('main').getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'My account' }).waitFor()
      await assertAccessible(page)
      console.assertNoErrors(/The resource does not exist/)
    })

  test('asks to sign in again with a button as wide as its words', async () => {
    await signUp(console.server, 'too-late')
    const page = await console.open()
    await console.signIn(page, { username: 'too-late' }, '/me')
    console.server.clock.advance({ minutes: 11 })
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    await page.getByRole('button', { name: 'Show the code to scan' }).click()
    const button = await settledBox(page.getByRole('button', { name: 'Sign in again' }))
    const notice = await settledBox(page.getByRole('alert'))
    assert.ok(button.width < notice.width / 3, `${button.width} px of ${notice.width}`)
    console.assertNoErrors()
  })
})
