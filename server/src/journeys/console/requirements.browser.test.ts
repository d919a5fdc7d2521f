import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from '../../../test/axe.ts'
import { sampleCertificate } from '../../../test/certificates.ts'
import { newClerk, paste } from '../../../test/console-form.ts'
import { keyboard, mouse } from '../../../test/console-hand.ts'
import { drop, dropBytes, heading, openMill } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { signUp } from '../../../test/people.ts'

const { console, skip } = consoleOfFile()

const limitsOfOrder = [
  ['Property', 'Minimum', 'Maximum', 'Unit', 'Thickness above', 'Thickness up to'],
  ['C', '', '0.20', '%', '', ''],
  ['Mn', '', '1,60', '%', '', ''],
  ['Rm', '470', '630', 'MPa', '', '100'],
]

const cell = (page: Page, column: string, row: number) =>
  page.getByRole('textbox', { name: `${column}, row ${row}`, exact: true })

const withCarbon = (value: string): string =>
  JSON.stringify(sampleCertificate()).replace('{"Value":"0.17"}', `{"Value":"${value}"}`)

const withoutManganese = (): string => {
  const sample = sampleCertificate()
  const { C73: _, ...composition } = sample.Certificate.Inspection.ChemicalComposition
  return JSON.stringify({
    ...sample,
    Certificate: {
      ...sample.Certificate,
      Inspection: { ...sample.Certificate.Inspection, ChemicalComposition: composition },
    },
  })
}

describe('requirements in the console', { skip }, () => {
  for (const hand of [mouse, keyboard])
    test(`a purchaser types one from an order, and checks what came with a truck, by ${hand.name}`, async () => {
      const clerk = await newClerk(console, `purchaser-${hand.name}`)
      const page = await console.open()
      await console.signIn(page, clerk, '/requirements')
      await page.getByText('No requirements yet').waitFor()
      await hand.press(page.getByRole('link', { name: 'Add a requirement' }))
      await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Plate of order 4711')
      await hand.reach(cell(page, 'Property', 1))
      await paste(page, limitsOfOrder)
      await page.waitForFunction(`document.querySelector('[aria-label="Maximum, row 2"]')?.value === '1.60'`)
      await hand.press(page.getByRole('button', { name: 'Save' }))
      await page.getByText('Saved.').or(heading(page, 'Plate of order 4711')).first().waitFor()
      await heading(page, 'Plate of order 4711').waitFor()

      await drop(page, [
        { name: 'meets.json', text: withCarbon('0.17') },
        { name: 'carbon.json', text: withCarbon('0.24') },
        { name: 'no-manganese.json', text: withoutManganese() },
      ])
      const line = (name: string) => page.locator('summary', { hasText: name })
      await line('no-manganese.json').getByText('Something is missing').waitFor()
      await line('carbon.json').getByText('Does not meet the requirement').waitFor()
      await line('meets.json').getByText('Meets the requirement').waitFor()
      await hand.press(line('carbon.json'))
      await page.getByText('C 0.24 % is above the maximum 0.20 %', { exact: false }).waitFor()
      // The words that a screen reader heard about the pressed button have no text for a moment.
      assert.deepEqual(await findViolations(page, { without: ['role-img-alt'] }), [])

      const client = console.server.client(clerk.accessToken)
      const [kept] = await client.listRequirements({ company: clerk.company })
      const { requirement } = await client.readRequirement({
        company: clerk.company,
        params: { id: kept?.id ?? '' },
      })
      assert.deepEqual(requirement, {
        name: 'Plate of order 4711',
        rules: [
          { of: 'C', max: '0.20', unit: '%' },
          { of: 'Mn', max: '1.60', unit: '%' },
          { of: 'Rm', min: '470', max: '630', unit: 'MPa', when: { thickness: { upTo: '100' } } },
        ],
      })
      console.assertNoErrors()
    })

  test('what the server refuses is said with row and column, and marked in the table', async () => {
    const clerk = await newClerk(console, 'mistaken')
    const page = await console.open()
    await console.signIn(page, clerk, '/requirements/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Plate')
    await cell(page, 'Property', 2).fill('Re')
    await cell(page, 'Minimum', 2).fill('355')
    await cell(page, 'Unit', 2).fill('MPa')
    await cell(page, 'Property', 3).fill('C')
    await cell(page, 'Maximum', 3).fill('0.2 max')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The requirement was not saved').waitFor()
    await page.getByText('Maximum, row 2: must be a decimal as text: "0.20"').waitFor()
    assert.equal(await cell(page, 'Maximum', 2).getAttribute('aria-invalid'), 'true')
    await cell(page, 'Maximum', 2).fill('0.2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Property, row 1: "Re" has several meanings: write ReH, ReL/).waitFor()
    assert.equal(await cell(page, 'Property', 1).getAttribute('aria-invalid'), 'true')
    console.assertNoErrors()
  })

  test('says what it cannot read, and checks nothing then', async () => {
    const clerk = await newClerk(console, 'unreadable')
    const page = await console.open()
    await console.signIn(page, clerk, '/requirements/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Plate')
    await cell(page, 'Property', 1).fill('C')
    await dropBytes(page, [
      { name: 'photo.jpg', type: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) },
    ])
    await page.getByText('This is a picture').waitFor()
    console.assertNoErrors()
  })

  test('a certificate is checked where it is shown, in German as well', async () => {
    const mill = await openMill(console.server, 'checked')
    const id = await mill.notarize({ number: 'C-1' })
    const page = await console.open({ locale: 'de-AT' })
    await console.signIn(page, mill.admin, `/certificates/${id}`)
    await page.getByText('Es gibt keine Anforderung').waitFor()
    const rules = [{ of: 'C', max: '0.10', unit: '%' }]
    await mill.client.keepRequirement({ company: mill.company.id, body: { name: 'Bestellung 9', rules } })
    await page.reload()
    await page.getByRole('button', { name: /Anforderung wählen/ }).click()
    await page.getByRole('option', { name: 'Bestellung 9' }).click()
    await page.getByText('Erfüllt die Anforderung nicht').waitFor()
    await page.getByText(/C 0\.17 % liegt über dem Höchstwert 0\.10 %/).waitFor()
    console.assertNoErrors()
  })

  test('who may only read sees them, and changes nothing', async () => {
    const mill = await openMill(console.server, 'shown')
    const rules = [{ of: 'C', max: '0.20', unit: '%' }]
    const { id } = await mill.client.keepRequirement({
      company: mill.company.id,
      body: { name: 'Plate', rules },
    })
    const reader = await signUp(console.server, 'only-reader')
    const company = { id: mill.company.id }
    await mill.client.addMember({ params: company, body: { email: reader.email, role: 'read_only' } })
    const page = await console.open({ viewport: { width: 390, height: 844 } })
    await console.signIn(page, reader, `/requirements/${id}`)
    await heading(page, 'Plate').waitFor()
    assert.equal(await cell(page, 'Maximum', 1).inputValue(), '0.20')
    assert.equal(await cell(page, 'Maximum', 1).getAttribute('readonly'), '')
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    assert.deepEqual(await findViolations(page), [])
    console.assertNoErrors()
  })
})
