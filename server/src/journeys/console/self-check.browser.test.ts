import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleCertificate } from '../../../test/certificates.ts'
import { faultsOfScreen } from '../../../test/console-faults.ts'
import { fillSteel, newClerk, pasteChemistry } from '../../../test/console-form.ts'
import { certificateText, drop, heading, openMill } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { auditOf } from '../../../test/traces.ts'

const { console, skip } = consoleOfFile()

const steel = '/new/form?family=en10168&version=1.0.0'
const sentence = 'P 0.030 % is above the maximum 0.025 % that this certificate prints (heat 175509)'

/** How many findings were accepted with each notarization of a company. */
const acceptedFindings = async (company: string): Promise<readonly unknown[]> =>
  (await auditOf(console.server, company))
    .filter(({ action }) => action === 'certificates.notarize')
    .map(({ details }) => (details as { readonly findings: unknown }).findings)

describe('a certificate that says what does not fit together', { skip }, () => {
  test('is amber in the form, and notarized only by the act that names its findings', async () => {
    const clerk = await newClerk(console, 'amber-clerk')
    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'AMBER-1')
    await pasteChemistry(page)
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Notarize', exact: true }).waitFor()

    const cell = page.getByRole('textbox', { name: 'P, row 2' })
    await cell.fill('0,030')
    const submit = page.getByRole('region', { name: 'Notarize' })
    await submit.getByText('1 finding: the certificate says what does not fit together').waitFor()
    await submit.getByText(sentence).waitFor()
    await page
      .locator('td.doubted')
      .and(page.locator('td', { has: cell }))
      .waitFor()
    assert.equal(await page.locator('td.doubted').count(), 1)
    assert.match((await cell.getAttribute('aria-describedby')) ?? '', /./)
    await page.getByText(`P, 175509: ${sentence}`).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])

    const asked = page.getByRole('alertdialog', { name: 'Notarize with 1 finding' })
    await page.getByRole('button', { name: 'Notarize with 1 finding' }).click()
    await asked.getByText(sentence).waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'detached' })
    assert.deepEqual(await acceptedFindings(clerk.company), [])

    await page.getByRole('button', { name: 'Notarize with 1 finding' }).click()
    await asked.getByRole('button', { name: 'I have read this finding: notarize' }).click()
    await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
    assert.deepEqual(await acceptedFindings(clerk.company), [1])
    console.assertNoErrors()
  })

  test('asks for the act also if the server finds what the check of the form did not show', async () => {
    const clerk = await newClerk(console, 'amber-surprised')
    const page = await console.open()
    // As the check of a server of an earlier release answers.
    await page.route('**/api/certificates/validate?**', async (route) => {
      const response = await route.fetch()
      const report = (await response.json()) as object
      await route.fulfill({ response, json: { ...report, findings: [], warnings: [] } })
    })
    await console.signIn(page, clerk, steel)
    await fillSteel(page, 'AMBER-2')
    await pasteChemistry(page)
    await page.getByRole('textbox', { name: 'P, row 2' }).fill('0,030')
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Notarize', exact: true }).click()
    const asked = page.getByRole('alertdialog', { name: 'Notarize with 1 finding' })
    await asked.getByText(sentence).waitFor()
    assert.deepEqual(await acceptedFindings(clerk.company), [])
    await asked.getByRole('button', { name: 'I have read this finding: notarize' }).click()
    await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
    assert.deepEqual(await acceptedFindings(clerk.company), [1])
    console.assertNoErrors(/422|400/)
  })

  const amber = (number: string): string => {
    const certificate = sampleCertificate({ number })
    Object.assign(certificate.Certificate.Inspection.TensileTest.C11, { Minimum: 380 })
    return JSON.stringify(certificate)
  }
  const of = (number: string): string =>
    number.startsWith('A') ? amber(number) : certificateText({ number })
  const filesOf = (...numbers: readonly string[]) =>
    numbers.map((number) => ({ name: `${number}.json`, text: of(number) }))

  test('is left out when many files are notarized, until the act that names its findings', async () => {
    const { company } = await openMill(console.server, 'amber-batch')
    const page = await console.open()
    await console.signIn(page, { username: 'amber-batch' }, '/new')
    await heading(page, 'New certificate').waitFor()
    await drop(page, filesOf('A-1', 'C-1'))
    const row = page.getByRole('row').filter({ hasText: 'A-1.json' })
    const reason = 'ReH 377 MPa is below the minimum 380 MPa that this certificate prints (heat 175508-1)'
    await row.getByText('Has findings').waitFor()
    await row.getByText(reason).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    await page.getByRole('button', { name: 'Notarize 1 certificate', exact: true }).click()
    await page.getByText('1 certificate recorded.').waitFor()
    assert.deepEqual(await acceptedFindings(company.id), [0])
    await row.getByText('Has findings').waitFor()

    await page.getByRole('button', { name: 'Notarize 1 certificate with findings' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Notarize with 1 finding' })
    await asked.getByText('A-1', { exact: true }).waitFor()
    await asked.getByText(reason).waitFor()
    await asked.getByRole('button', { name: 'I have read this finding: notarize' }).click()
    await page.getByText('2 certificates recorded.').waitFor()
    assert.deepEqual(await acceptedFindings(company.id), [0, 1])
    console.assertNoErrors()
  })

  test('is notarized alone, and leaves the findings of other files unread', async () => {
    const { company } = await openMill(console.server, 'amber-single')
    const page = await console.open()
    await console.signIn(page, { username: 'amber-single' }, '/new')
    await heading(page, 'New certificate').waitFor()
    await drop(page, filesOf('A-3', 'A-4', 'C-3'))
    const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}.json` })
    await row('A-4').getByText('Has findings').waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    await row('A-4').getByRole('button', { name: 'Notarize with findings … A-4' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Notarize with 1 finding' })
    await asked.getByText('A-4', { exact: true }).waitFor()
    assert.equal(await asked.getByText('A-3', { exact: true }).count(), 0)
    await asked.getByRole('button', { name: 'I have read this finding: notarize' }).click()
    await row('A-4').getByText('Recorded').waitFor()
    await row('A-3').getByText('Has findings').waitFor()
    await row('C-3').getByText('Valid').waitFor()
    assert.deepEqual(await acceptedFindings(company.id), [1])
    // The only one left has the button above the table.
    assert.equal(
      await row('A-3')
        .getByRole('button', { name: /^Notarize/ })
        .count(),
      0,
    )
    await page.getByRole('button', { name: 'Notarize 1 certificate with findings' }).waitFor()
    console.assertNoErrors()
  })

  test('is not sent silently if its findings are new since it was checked, and says so in German', async () => {
    const { company } = await openMill(console.server, 'bernstein')
    const page = await console.open({ locale: 'de-DE' })
    // As the check of a server of an earlier release answers.
    await page.route('**/api/certificates/validate?**', async (route) => {
      const response = await route.fetch()
      const report = (await response.json()) as object
      await route.fulfill({ response, json: { ...report, findings: [], warnings: [] } })
    })
    await console.signIn(page, { username: 'bernstein' }, '/new')
    await heading(page, 'Neues Zeugnis').waitFor()
    await drop(page, filesOf('A-2', 'C-2'))
    await page.getByRole('button', { name: '2 Zeugnisse notarisieren' }).click()
    await page.getByText('1 Zeugnis eingetragen.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'A-2.json' })
    const reason =
      'ReH 377 MPa liegt unter dem Mindestwert 380 MPa, den dieses Zeugnis nennt (Schmelze 175508-1)'
    await row.getByText('Hat Befunde').waitFor()
    await row.getByText(reason).waitFor()
    assert.deepEqual(await acceptedFindings(company.id), [0])
    await page.getByRole('button', { name: '1 Zeugnis mit Befunden notarisieren' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Mit 1 Befund notarisieren' })
    await asked.getByText(reason).waitFor()
    await asked.getByRole('button', { name: 'Ich habe diesen Befund gelesen: notarisieren' }).click()
    await page.getByText('2 Zeugnisse eingetragen.').waitFor()
    assert.deepEqual(await acceptedFindings(company.id), [0, 1])
    console.assertNoErrors(/422/)
  })
})
