import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { faultsOfScreen } from '../../../test/console-faults.ts'
import { consoleOfFile } from '../../../test/console.ts'
import {
  checkedForm,
  chemistry,
  fillRequired,
  fillSteel,
  newClerk,
  paste,
  pasteChemistry,
} from '../../../test/console-form.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { eventually } from '../../../test/eventually.ts'
import { password } from '../../../test/people.ts'

const { console, skip } = consoleOfFile()

const steel = '/new/form?family=en10168&version=1.0.0'
/** Keeps back the next checks of the form. Each `letGo` waits for one and lets it through. */
const holdChecks = async (page: Page): Promise<{ letGo: () => Promise<void> }> => {
  const held: Route[] = []
  await page.route('**/api/certificates/validate?**', (route) => void held.push(route))
  return {
    async letGo() {
      const route = await eventually(() => held.shift(), { what: 'a check of the form' })
      await route.continue()
    },
  }
}

describe('the form of a certificate', { skip }, () => {
  test('a clerk types an EN 10168 certificate, pastes the chemistry, corrects what is refused, and notarizes', async () => {
    const clerk = await newClerk(console, 'clerk')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    const paper = page.getByRole('region', { name: 'The page as your customer will see it' })
    const draft = paper.getByText('Draft: not notarized')
    await draft.waitFor()
    // The turned watermark is wider than the page.
    assert.equal(await paper.evaluate((frame) => frame.scrollWidth - frame.clientWidth), 0)
    await page.getByRole('textbox', { name: 'A03' }).fill('An early number')
    await paper.getByText('An early number').first().waitFor()
    await draft.waitFor()
    await fillSteel(page, '1866646/001')
    // Asked for from the start: it is where the certificate goes.
    await page.getByLabel('E-mail address', { exact: true }).fill('goods@bridge.example')
    const table = page.getByRole('region', { name: 'Chemical composition' })
    await pasteChemistry(page)
    const tensile = page.getByRole('region', { name: 'Tensile test' })
    await tensile.getByRole('textbox', { name: 'Unit, Tensile strength' }).fill('MPa')
    await tensile.getByRole('textbox', { name: 'Tensile strength, row 1' }).fill('521')

    const wrong = tensile.getByRole('textbox', { name: 'Tensile strength, row 2' })
    await wrong.fill('53o')
    await page.getByText('Tensile strength, 175509: Write a number').waitFor()
    assert.equal(await wrong.getAttribute('aria-invalid'), 'true')
    await page.getByRole('button', { name: 'Notarize' }).click()
    await wrong.and(page.locator(':focus')).waitFor()
    await wrong.fill('530')

    await page
      .getByRole('button', { name: /^Add: .*: Certificate$/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Attachments' }).click()
    const attached = page.getByRole('group', { name: 'Attachments' })
    await attached.getByText(/at most/).waitFor()
    const curve = { name: 'curve.txt', mimeType: 'text/plain', buffer: Buffer.from('force over strain') }
    await attached.locator('input[type=file]').setInputFiles([curve, { ...curve, name: 'other.txt' }])
    await attached.getByRole('button', { name: 'Remove other.txt' }).click()

    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    // The fingerprint on the page can have the same digits.
    await paper.getByText('530', { exact: true }).waitFor()
    await draft.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Notarize' }).click()
    await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
    await page.getByText(/Mails go to .+\.$/).waitFor()

    const client = console.server.client(clerk.accessToken)
    const query = { mode: 'test', text: '175509' } as const
    const [found] = await client.listCertificates({ company: clerk.company, query })
    assert.equal(found?.summary?.identifier, '1866646/001')
    const file = await client.readCertificateJson({ company: clerk.company, params: { id: found?.id ?? '' } })
    const { Certificate } = JSON.parse(await file.text())
    assert.deepEqual(Certificate.Inspection[1], {
      C00: '175509',
      ChemicalComposition: {
        C71: { Symbol: 'C', Unit: '%', Actual: { Value: '0.16' }, Maximum: { Value: '0.20' } },
        C72: { Symbol: 'Si', Unit: '%', Actual: { Value: '0.24' }, Maximum: { Value: '0.55' } },
        C73: { Symbol: 'Mn', Unit: '%', Actual: { Value: '1.47' }, Maximum: { Value: '1.60' } },
        C74: {
          Symbol: 'P',
          Unit: '%',
          Actual: { Value: '0.003', Operator: '<' },
          Maximum: { Value: '0.025' },
        },
      },
      TensileTest: { C12: { Value: 530, Unit: 'MPa' } },
    })
    assert.deepEqual(Certificate.Attachments, [
      {
        FileName: 'curve.txt',
        'MIME-Type': 'text/plain',
        Encoding: 'base64',
        Data: curve.buffer.toString('base64'),
        Hash: {
          Algorithm: 'SHA256',
          Encoding: 'hex',
          Value: createHash('sha256').update(curve.buffer).digest('hex'),
        },
      },
    ])
    console.assertNoErrors()

    await page.getByRole('link', { name: 'New certificate like this one' }).click()
    const number = page.getByRole('textbox', { name: 'A03' })
    await number.waitFor()
    assert.equal(await number.inputValue(), '')
    assert.equal(await table.getByRole('textbox', { name: 'P, row 2' }).inputValue(), '< 0.003')
    await number.fill('1866646/002')
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    console.assertNoErrors()
  })

  test('has its title and the navigation beside it while its fields are being loaded', async () => {
    const clerk = await newClerk(console, 'waiting')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await page.getByRole('textbox', { name: 'A03' }).waitFor()
    const held: Route[] = []
    await page.route(/schemas\/.*languages=/, (route) => void held.push(route))
    await page.reload()
    const route = await eventually(() => held.shift(), { what: 'a call for the fields' })
    await page.getByRole('status').and(page.getByText('Loading')).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('navigation').first().waitFor()
    await route.continue()
    await page.getByRole('textbox', { name: 'A03' }).waitFor()
    console.assertNoErrors()
  })

  test('a clerk does the same by keyboard alone', async () => {
    const clerk = await newClerk(console, 'keyboard')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'K-1', keyboard)
    const table = page.getByRole('region', { name: 'Chemical composition' })
    await keyboard.reach(table.getByRole('textbox').first())
    await paste(page, chemistry.slice(0, 3))
    await table.getByRole('textbox', { name: 'C, row 1' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator(':focus[aria-label$="row 2"]').waitFor()
    await page.keyboard.type('175510')
    await page.keyboard.press('Tab')
    await page.keyboard.type('0,18')
    assert.equal(await table.getByRole('textbox', { name: 'C, row 2' }).inputValue(), '0,18')
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Notarize' }))
    await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
    console.assertNoErrors()
  })

  test('nothing typed is lost when the session ends, the server is away, or the tab is closed, by keyboard alone', async () => {
    const clerk = await newClerk(console, 'interrupted')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    const number = page.getByRole('textbox', { name: 'A03' })
    await keyboard.write(number, 'S-1')
    // Nothing is on its way, so that the next field is what finds the session ended.
    await page
      .getByRole('region', { name: /^The page as/ })
      .getByText('S-1')
      .first()
      .waitFor()
    await checkedForm(page)

    await page.context().clearCookies()
    await keyboard.write(page.getByRole('textbox', { name: 'B01' }), 'Plate')
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      keyboard.press(page.getByRole('button', { name: 'Sign in again' })),
    ])
    await keyboard.write(window.locator('input[name=login]'), 'interrupted')
    await keyboard.write(window.locator('input[type=password]'), password)
    await window.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.equal(await number.inputValue(), 'S-1')
    assert.equal(await page.getByRole('textbox', { name: 'B01' }).inputValue(), 'Plate')
    await page.getByText('to fill in').waitFor()

    await page.context().setOffline(true)
    await keyboard.write(number, 'S-2')
    await page.getByText('The server does not answer. This page').waitFor()
    await page.context().setOffline(false)
    await page.getByText('The server answers again.').waitFor({ state: 'attached' })
    await page.getByText('to fill in').waitFor()
    await page.getByText('Draft kept on this computer').waitFor()

    const address = page.url()
    const context = page.context()
    await page.close()
    const again = await context.newPage()
    await again.goto(address)
    assert.equal(await again.getByRole('textbox', { name: 'A03' }).inputValue(), 'S-2')
    assert.equal(await again.getByRole('textbox', { name: 'B01' }).inputValue(), 'Plate')
    await again.goto(`${console.server.url}/console/new/form`)
    await keyboard.press(again.getByRole('button', { name: 'Delete draft: S-2' }))
    await keyboard.press(again.getByRole('alertdialog').getByRole('button', { name: 'Delete draft' }))
    await again.getByRole('link', { name: 'S-2' }).waitFor({ state: 'detached' })
    console.assertNoErrors(/ERR_INTERNET_DISCONNECTED/)
  })

  test('Notarize waits for the check that is under way, and then leads to the first missing field or notarizes', async () => {
    const clerk = await newClerk(console, 'hasty')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'HASTY-1')
    await pasteChemistry(page)
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    await checkedForm(page)
    const held = await holdChecks(page)
    const number = page.getByRole('textbox', { name: 'A03' })
    const notarize = page.getByRole('button', { name: 'Notarize' })
    await number.fill('')
    await notarize.press('Enter')
    await held.letGo()
    await number.and(page.locator(':focus')).waitFor()

    await number.fill('HASTY-2')
    await notarize.press('Enter')
    await held.letGo()
    await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
    console.assertNoErrors()
  })

  for (const [family, version, most] of [
    ['en10168', '1.0.0', 30],
    ['coa', '1.1.0', 40],
    ['e-coc', '1.0.0', 40],
    ['metals', '1.0.0', 40],
  ] as const)
    test(`${family} begins small, and is valid once its required fields are filled in`, async () => {
      const name = `family-${family}`
      const clerk = await newClerk(console, name)
      const page = await console.open()
      await console.signIn(page, clerk, `/new/form?family=${family}&version=${version}`)
      await page.getByText('to fill in').waitFor()
      const count = await fillRequired(page)
      assert.ok(count > 5 && count <= most, `${count} fields`)
      await page.getByText('Nothing is missing', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'The page as your customer will see it' }).waitFor()
      console.assertNoErrors()
    })

  test('says that the page cannot be made, and makes it as soon as the server answers', async () => {
    const clerk = await newClerk(console, 'form-unlucky')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    const paper = page.getByRole('region', { name: 'The page as your customer will see it' })
    await paper.waitFor()
    await page.route('**/certificates/render**', (route) => route.abort())
    await page.getByRole('textbox', { name: 'A03' }).fill('A new number')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/certificates/render**')
    await paper.getByText('A new number').first().waitFor()
    console.assertNoErrors()
  })

  test('fits every window and is accessible in both themes: empty, with a mistake and whole', async () => {
    const clerk = await newClerk(console, 'form-accessible')
    const page = await console.open()
    await console.signIn(page, clerk, '/new/form')
    await page.getByRole('link', { name: 'EN 10168' }).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    await page.goto(`${console.server.url}/console${steel}`)
    await fillSteel(page, 'A-1')
    await pasteChemistry(page)
    const tensile = page.getByRole('textbox', { name: 'Tensile strength, row 1' })
    await tensile.fill('53o')
    await page.getByText('Tensile strength, 175508: Write a number').waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    await tensile.fill('530')
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    console.assertNoErrors()
  })
})
