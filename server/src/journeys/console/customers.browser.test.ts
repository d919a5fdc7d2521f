import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Customer, CustomerData } from '@millseal/contract'
import type { Page } from 'playwright-core'
import { findViolations } from '../../../test/axe.ts'
import { type Clerk, fillRequired, fillSteel, newClerk } from '../../../test/console-form.ts'
import { type Hand, keyboard, mouse } from '../../../test/console-hand.ts'
import { heading } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { password, signUp } from '../../../test/people.ts'

const { console, skip } = consoleOfFile()

const steel = '/new/form?family=en10168&version=1.0.0'

const girders: CustomerData = {
  name: 'Girder & Sons GmbH',
  vatId: 'DE136695976',
  emails: ['quality@girder.example', 'goods@girder.example'],
  address: { street: 'Am Stahlhof 7', zipCode: '80331', city: 'München', country: 'DE' },
  language: 'de',
}

const keep = (clerk: Clerk, ...customers: readonly CustomerData[]) =>
  Promise.all(
    customers.map((body) =>
      console.server.client(clerk.accessToken).createCustomer({ company: clerk.company, body }),
    ),
  )

const customersOf = (clerk: Clerk): Promise<Customer[]> =>
  console.server.client(clerk.accessToken).listCustomers({ company: clerk.company })

const notarize = async (page: Page): Promise<void> => {
  await page.getByText('Nothing is missing', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Notarize' }).click()
  await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
}

const jsonOf = async (clerk: Clerk) => {
  const client = console.server.client(clerk.accessToken)
  const [found] = await client.listCertificates({ company: clerk.company, query: { mode: 'test' } })
  const file = await client.readCertificateJson({ company: clerk.company, params: { id: found?.id ?? '' } })
  return JSON.parse(await file.text())
}

const party = (page: Page, pointer: string) => page.locator(`[data-pointer="${pointer}"]`)

describe('customers in the form of a certificate', { skip }, () => {
  test('a clerk types two letters and chooses one by keyboard, which fills in the company, also in the JSON', async () => {
    const clerk = await newClerk(console, 'picker')
    await keep(
      clerk,
      girders,
      { name: 'Gironde Steel' },
      { name: 'By Address', emails: ['lab@gifts.example'] },
      { name: 'Nothing alike' },
    )
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'P-1')
    const buyer = party(page, '/Certificate/CommercialTransaction/A06')
    const name = buyer.getByRole('combobox', { name: 'Name' })
    await keyboard.reach(name)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('gi')
    const offers = page.getByRole('listbox', { name: 'Customers' }).getByRole('option')
    await offers.nth(2).waitFor()
    assert.deepEqual(await offers.allTextContents(), [
      'Girder & Sons GmbH DE136695976 · 80331 München',
      'Gironde Steel ',
      'By Address ',
    ])
    await page.keyboard.press('Escape')
    await offers.first().waitFor({ state: 'detached' })
    assert.equal(await name.inputValue(), 'gi')
    await page.keyboard.type('r')
    await offers.first().waitFor()
    // While the list is open, a screen reader is to find nothing else.
    const without = ['aria-hidden-focus', 'page-has-heading-one', 'region']
    assert.deepEqual(await findViolations(page, { without }), [])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await offers.first().waitFor({ state: 'detached' })
    await buyer.getByRole('textbox', { name: 'City' }).and(page.locator('[value="München"]')).waitFor()
    assert.equal(await name.inputValue(), 'Girder & Sons GmbH')
    await name.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'German' }).and(page.locator('[aria-pressed=true]')).waitFor()
    await notarize(page)
    const { Certificate } = await jsonOf(clerk)
    assert.deepEqual(Certificate.CertificateLanguages, ['EN', 'DE'])
    assert.deepEqual(Certificate.CommercialTransaction.A06, {
      Name: 'Girder & Sons GmbH',
      Street: ['Am Stahlhof 7'],
      ZipCode: '80331',
      City: 'München',
      Country: 'DE',
      Identifiers: { VAT: 'DE136695976' },
      Emails: ['quality@girder.example', 'goods@girder.example'],
    })
    assert.equal(await page.getByRole('button', { name: /as a customer/ }).count(), 0)
    console.assertNoErrors()
  })

  test('nothing of another company stays if another customer is chosen', async () => {
    const clerk = await newClerk(console, 'rechooser')
    await keep(clerk, girders, { name: 'Barge Line', emails: ['hull@barge.example'] })
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    const buyer = party(page, '/Certificate/CommercialTransaction/A06')
    const name = buyer.getByRole('combobox', { name: 'Name' })
    for (const [typed, chosen] of [
      ['girder', 'Girder & Sons GmbH'],
      ['barge', 'Barge Line'],
    ] as const) {
      await name.fill(typed)
      await page.getByRole('option', { name: chosen }).click()
      await page.waitForFunction(`document.activeElement?.value === ${JSON.stringify(chosen)}`)
    }
    await buyer.getByText('München').waitFor({ state: 'detached' })
    const values = await buyer
      .locator('input, textarea')
      .evaluateAll((fields) =>
        fields.map((field) => (field as unknown as { value: string }).value).filter((value) => value !== ''),
      )
    assert.deepEqual(values.toSorted(), ['Barge Line', 'hull@barge.example'])
    console.assertNoErrors()
  })

  for (const [family, pointer, describes] of [
    [
      'e-coc',
      '/EcocData/Data/Parties/0',
      {
        PartyName: girders.name,
        PartyAddress: {
          StreetAddress: 'Am Stahlhof 7',
          PostalCode: '80331',
          City: 'München',
          CountryCode: 'DE',
        },
        PartyIdentifier: [{ NameOfIdentifier: 'VATID', ValueOfIdentifier: 'DE136695976' }],
        AdditionalPartyProperties: [{ Name: 'E-Mail', Value: girders.emails }],
      },
    ],
    [
      'metals',
      '/DigitalMaterialPassport/TransactionData/Parties/Customer',
      {
        Name: girders.name,
        Street: ['Am Stahlhof 7'],
        ZipCode: '80331',
        City: 'München',
        Country: 'DE',
        Email: 'quality@girder.example',
        Identifiers: { VAT: 'DE136695976' },
      },
    ],
  ] as const)
    test(`they fill in the parties of ${family}, which calls them otherwise`, async () => {
      const clerk = await newClerk(console, `picker-${family}`)
      await keep(clerk, girders)
      const page = await console.open()
      await console.signIn(page, clerk, `/new/form?family=${family}`)
      await page.getByRole('button', { name: 'Notarize' }).waitFor()
      if (family === 'e-coc') {
        await page
          .getByRole('button', { name: /^Add: .*: Electronic certificate of conformity$/ })
          .first()
          .click()
        await page.getByRole('menuitem').first().click()
      }
      const [nameField] = Object.keys(describes)
      const name = party(page, `${pointer}/${nameField}`).getByRole('combobox')
      await name.fill('girder')
      await page.getByRole('option', { name: girders.name }).click()
      await page.waitForFunction(`document.activeElement?.value === ${JSON.stringify(girders.name)}`)
      await fillRequired(page)
      await notarize(page)
      const path = pointer.split('/').slice(1)
      const found = path.reduce((at, part) => at[part], await jsonOf(clerk))
      for (const [member, value] of Object.entries(describes)) assert.deepEqual(found[member], value, member)
      console.assertNoErrors()
    })

  test('a receiver that is no customer is kept after notarizing, with one click', async () => {
    const clerk = await newClerk(console, 'keeper')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'K-1')
    await notarize(page)
    await page.getByRole('button', { name: 'Keep Bridge Works as a customer' }).click()
    await page.getByText('Bridge Works is kept as a customer.').waitFor()
    const kept = (await customersOf(clerk)).map(
      ({ id: _id, createdAt: _at, updatedAt: _then, ...data }) => data,
    )
    assert.deepEqual(kept, [
      {
        name: 'Bridge Works',
        emails: [],
        address: { street: 'Girder Road 2', zipCode: '10115', city: 'Bridgetown', country: 'DE' },
        language: 'en',
      },
    ])
    console.assertNoErrors()
  })
})

describe('the screen of customers', { skip }, () => {
  const story = (hand: Hand) =>
    test(`a clerk adds, finds, changes, exports and deletes one, by ${hand.name}`, async () => {
      const clerk = await newClerk(console, `desk-${hand.name}`)
      const page = await console.open()
      await console.signIn(page, clerk, '/customers')
      await heading(page, 'Customers').waitFor()
      await page.getByText('No customers yet').waitFor()
      await hand.press(page.getByRole('button', { name: 'Add a customer' }))
      const dialog = page.getByRole('dialog')
      await hand.write(dialog.getByRole('textbox', { name: 'Name' }), 'Girder & Sons')
      await hand.write(dialog.getByRole('textbox', { name: 'VAT id' }), 'DE136695977')
      await hand.write(
        dialog.getByRole('textbox', { name: 'E-mail addresses' }),
        'one@girder.example\ntwo@girder.example',
      )
      await hand.write(dialog.getByRole('textbox', { name: 'City' }), 'Munich')
      await hand.press(dialog.getByRole('button', { name: /Country/ }))
      await page.getByRole('listbox').waitFor()
      await page.keyboard.type('Germany')
      await page.keyboard.press('Enter')
      await hand.press(dialog.getByRole('button', { name: 'Save' }))
      await dialog.getByText(/check digit/).waitFor()
      await hand.write(dialog.getByRole('textbox', { name: 'VAT id' }), 'DE 136695976')
      await hand.press(dialog.getByRole('button', { name: 'Save' }))
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'DE136695976' }).waitFor()
      await keep(clerk, { name: 'Another' })
      await hand.write(page.getByRole('searchbox'), 'two@girder')
      await page.getByText('1 of 1').waitFor()
      await hand.press(page.getByRole('button', { name: 'Change Girder & Sons' }))
      await hand.write(dialog.getByRole('textbox', { name: 'Name' }), 'Girder & Daughters')
      await hand.write(dialog.getByRole('textbox', { name: 'VAT id' }), '')
      await hand.press(dialog.getByRole('button', { name: 'Save' }))
      await page.getByRole('cell', { name: 'Girder & Daughters', exact: true }).waitFor()
      const download = page.waitForEvent('download')
      await hand.press(page.getByRole('button', { name: 'Export all as CSV' }))
      const csv = await readFile(await (await download).path(), 'utf8')
      assert.match(
        csv,
        /^id,name,.*\n.*,Another,.*\n.*,Girder & Daughters,,one@girder.example two@girder.example,,,Munich,DE,/,
      )
      await hand.press(page.getByRole('button', { name: 'Delete Girder & Daughters' }))
      await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
      await page.getByText('Nothing matches').waitFor()
      assert.deepEqual(
        (await customersOf(clerk)).map(({ name }) => name),
        ['Another'],
      )
      console.assertNoErrors()
    })
  for (const hand of [mouse, keyboard]) story(hand)

  test('somebody who only reads changes nothing', async () => {
    const clerk = await newClerk(console, 'desk-of-readers')
    await keep(clerk, girders)
    const reader = await signUp(console.server, 'customers-reader')
    const admin = await console.server
      .client()
      .login({ body: { username: `${clerk.username}-admin`, password } })
    await console.server.client(admin.accessToken).addMember({
      params: { id: clerk.company },
      body: { email: reader.email, role: 'read_only' },
    })
    const page = await console.open()
    await console.signIn(page, reader, '/customers')
    await page.getByRole('cell', { name: girders.name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Export all as JSON' }).waitFor()
    for (const name of [/^Add/, /^Change/, /^Delete/])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
    console.assertNoErrors()
  })
})
