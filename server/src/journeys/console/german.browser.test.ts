import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { certificateText, heading, openMill, upload } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { newOwner } from '../../../test/machines.ts'
import { signUp } from '../../../test/people.ts'
import { settledBox } from '../../../test/settled-box.ts'

const { console, skip } = consoleOfFile()
const onPhone = { locale: 'de-DE', viewport: { width: 375, height: 800 } } as const

describe('the German console', { skip }, () => {
  test('gives a new wallet a German name', async () => {
    const { admin, company } = await newOwner(console.server, 'anfang')
    const page = await console.open(onPhone)
    await console.signIn(page, { username: 'anfang' }, '/keys')
    await page.getByRole('button', { name: 'Wallet anlegen' }).click()
    await page.getByRole('heading', { name: 'Schreiben Sie diese Wörter auf' }).waitFor()
    const { name } = await console.server
      .client(admin.accessToken)
      .readWalletOfCompany({ params: { id: company.id }, query: { mode: 'test' } })
    assert.equal(name, 'Test-Wallet')
    console.assertNoErrors(/404/)
  })

  test('says why a VAT id is wrong, as the API does', async () => {
    await signUp(console.server, 'zahlendreher')
    const page = await console.open(onPhone)
    await console.signIn(page, { username: 'zahlendreher' }, '/company/new')
    const field = page.getByLabel('Umsatzsteuer-ID')
    for (const [typed, reason] of [
      ['DE 129 273 389', 'Ihre Prüfziffern stimmen nicht.'],
      ['DE 129 273 3', 'Umsatzsteuer-IDs aus DE sehen so aus: DE999999999.'],
      ['12 927 33 98', 'Sie beginnt mit den zwei Buchstaben des Landes.'],
    ] as const) {
      await field.fill(typed)
      await page
        .getByText(`${reason} Vergleichen Sie die Umsatzsteuer-ID mit Ihren Steuerunterlagen.`)
        .waitFor()
    }
    console.assertNoErrors(/400/)
  })

  test('says in German what is wrong in a file', async () => {
    await newOwner(console.server, 'fehler')
    const page = await console.open(onPhone)
    await console.signIn(page, { username: 'fehler' }, '/new')
    await heading(page, 'Neues Zeugnis').waitFor()
    const text = certificateText({ number: 'A-1' })
    await upload(page, [
      { name: 'abgeschnitten.json', text: '{"RefSchemaUrl": {' },
      {
        name: 'unbekannt.json',
        text: text.replace(/"RefSchemaUrl":"[^"]+"/, '"RefSchemaUrl":"https://example.com/x"'),
      },
    ])
    await page
      .getByText(
        'Das ist kein JSON: Hier fehlt ein Name in doppelten Anführungszeichen, Zeile 1, Spalte 19 (/RefSchemaUrl)',
      )
      .waitFor()
    await page.getByText('Dieser Dienst kennt diese Art von Zeugnis nicht.').waitFor()
    console.assertNoErrors(/404/)
  })

  test('shows the number of a certificate on a phone, however many heats it has', async () => {
    const { notarize } = await openMill(console.server, 'schmelzen')
    await notarize({ number: 'DMP-METAL-002', heat: '46423/02, 01/0004999/9, 46423/01, 01/0005004/9' })
    const page = await console.open(onPhone)
    await console.signIn(page, { username: 'schmelzen' }, '/certificates')
    const link = page.getByRole('link', { name: 'DMP-METAL-002' })
    const cell = await settledBox(page.getByRole('gridcell').filter({ has: link }))
    const number = await settledBox(link)
    assert.ok(number.x + number.width <= cell.x + cell.width, 'the number is cut off')
    console.assertNoErrors()
  })
})
