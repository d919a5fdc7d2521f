import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findViolations } from '../../../test/axe.ts'
import { sampleCertificate } from '../../../test/certificates.ts'
import { drop } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { deskOf } from '../../../test/desk.ts'
import { newOwner } from '../../../test/machines.ts'

const { console, skip } = consoleOfFile()

const pasted = [
  'Bestellung\tPosition\tWerkstoff\tAbmessungen\tMenge\tEinheit\tAnforderung\tPreis',
  'PO-4711\t10\tS355J2+N\t20 x 2000 x 6000\t6\tStk\tPlate\t999',
  'PO-4711\t20\tS235JR\t\t2,5\tt\tPlate\t1',
].join('\n')

describe('orders in the console', { skip }, () => {
  test('a purchaser pastes them, and the desk says what is not as ordered', async () => {
    const owner = await newOwner(console.server, 'order-works')
    const ours = deskOf(console.server, owner)
    await ours.require('Plate')
    const page = await console.open()
    await console.signIn(page, owner.admin, '/orders')
    await page.getByText('No order lines yet').waitFor()
    await page.getByRole('button', { name: 'Paste from a spreadsheet' }).click()
    await page.getByRole('textbox', { name: 'Paste the cells here' }).fill(pasted)
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByText('2 order lines saved.').waitFor()
    await page.getByText('no column has this name: Preis').waitFor()
    const row = page.getByRole('row', { name: 'S235JR' })
    await row.getByText('2.5 t').waitFor()
    assert.deepEqual(await findViolations(page, { without: ['role-img-alt'] }), [])
    await row.getByRole('button', { name: 'Remove PO-4711 · 20' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })

    await page.goto(`${console.server.url}/console/desk`)
    await page.getByRole('button', { name: 'Add files' }).waitFor()
    const sample = sampleCertificate({ number: 'ORDERED-1' })
    sample.Certificate.ProductDescription.B08 = 7
    await drop(page, [
      { name: 'right.json', text: JSON.stringify(sampleCertificate({ number: 'ORDERED-0' })) },
      { name: 'too-many.json', text: JSON.stringify(sample) },
    ])
    await page.getByRole('row', { name: 'ORDERED-0' }).getByText('Order: 5 of 5').waitFor()
    const wrong = page.getByRole('row', { name: 'ORDERED-1' })
    await wrong.getByText('Order: 4 of 5').waitFor()
    await wrong.getByText('7 is above the ordered 6 Stk').waitFor()
    await page.getByRole('link', { name: 'ORDERED-1' }).click()
    await page.getByText('7 is above the ordered 6 Stk').first().waitFor()
    await page.getByText('All 6 limits').click()
    await page.getByRole('row', { name: 'dimensions' }).waitFor()
    console.assertNoErrors()
  })

  test('what the server refuses is said with its line, in German', async () => {
    const owner = await newOwner(console.server, 'wrong-orders')
    const page = await console.open({ locale: 'de-AT' })
    await console.signIn(page, owner.admin, '/orders')
    await page.getByRole('button', { name: 'Aus Tabelle einfügen' }).click()
    await page.getByRole('textbox').fill('PO-1,10,S355,big,,,,')
    await page.getByRole('button', { name: 'Übernehmen' }).click()
    await page.getByText('Die Bestellpositionen wurden nicht gespeichert').waitFor()
    await page.getByText('müssen Maße mit einem x dazwischen sein').waitFor()
    console.assertNoErrors()
  })
})
