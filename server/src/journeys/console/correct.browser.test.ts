import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleOfFile } from '../../../test/console.ts'
import { heading, type Mill, openMill } from '../../../test/console-mill.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    mill = await openMill(server, 'corrector')
  },
})

describe('a clerk who finds a mistake in a certificate', { skip }, () => {
  test('writes the right one with its data, and replaces the wrong one with it, without searching for either', async () => {
    const wrong = await mill.notarize({ number: 'WRONG-1', heat: '880001' })
    const page = await console.open()
    await console.signIn(page, { username: 'corrector' }, `/certificates/${wrong}`)
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('link', { name: 'Write the new certificate with these data' }).click()
    await page.getByRole('textbox', { name: 'A03' }).fill('RIGHT-1')
    await page.getByRole('textbox', { name: 'B07' }).fill('880002')
    await page.getByRole('button', { name: 'Notarize' }).click()
    await page.getByRole('link', { name: 'Replace the former certificate with it' }).click()
    await heading(page, 'WRONG-1').waitFor()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('radio', { name: /RIGHT-1/, checked: true }).waitFor()
    await dialog.getByLabel(/Reason/).fill('The heat was mistyped')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('It was replaced: The heat was mistyped').waitFor()
    assert.doesNotMatch(page.url(), /replacedBy/)
    await page.getByRole('link', { name: 'Show the certificate that replaces it' }).click()
    await heading(page, 'RIGHT-1').waitFor()
    console.assertNoErrors()
  })
})
