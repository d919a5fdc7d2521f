import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOfScreen } from '../../../test/console-faults.ts'
import { fillSteel, newClerk, pasteChemistry } from '../../../test/console-form.ts'
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
})
