import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { consoleOfFile } from '../../../test/console.ts'
import { certificateText, heading, type Mill, openMill } from '../../../test/console-mill.ts'
import { signUp } from '../../../test/people.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    mill = await openMill(server, 'roles-admin')
    const params = { id: mill.company.id }
    for (const role of ['clerk', 'approver'] as const) {
      const { email } = await signUp(server, `roles-${role}`)
      await mill.client.addMember({ params, body: { email, role } })
    }
  },
})

const notarizeFile = async (page: Page, number: string) => {
  const buffer = Buffer.from(certificateText({ number }))
  const file = { name: `${number}.json`, mimeType: 'application/json', buffer }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByRole('button', { name: /^Notarize/ }).click()
  await page.getByRole('link', { name: new RegExp(number) }).waitFor()
}

describe('the roles of a company', { skip }, () => {
  test('are offered with a sentence each, first that of a clerk', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'roles-admin' }, '/members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Issues, corrects and sends certificates').waitFor()
    await dialog.getByRole('button', { name: /^Clerk/ }).click()
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), [
      'Admin',
      'Approver',
      'Clerk',
      'Dispatcher',
      'Reader',
    ])
    console.assertNoErrors()
  })

  test('let a clerk notarize a file and correct it, and show no button that would be refused', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'roles-clerk' }, '/new')
    await notarizeFile(page, 'CLERK-1')
    await page.getByRole('link', { name: /CLERK-1/ }).click()
    await heading(page, 'CLERK-1').waitFor()
    await page.getByRole('link', { name: 'Replace', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).waitFor()
    for (const [screen, shown] of [
      ['members', 'roles-admin@example.com'],
      ['keys', 'Department 0'],
    ] as const) {
      await page.goto(`${console.server.url}/console/${screen}`)
      await page.getByText(shown).first().waitFor()
      const buttons = await page.locator('main button:not([role=search] *)').allInnerTexts()
      assert.deepEqual(
        buttons.filter((text) => text !== 'Leave'),
        [],
        screen,
      )
    }
    console.assertNoErrors()
  })

  test('let an approver read the paper of what waits, release it and refuse it, and nobody release their own', async () => {
    const admin = await console.open({ locale: 'de-DE' })
    await console.signIn(admin, { username: 'roles-admin' }, '/company')
    await admin.getByRole('button', { name: /Zeugnisse, die warten/ }).click()
    await admin.getByRole('option', { name: 'Die von Mitgliedern eingereichten' }).click()
    await admin.getByRole('button', { name: /Die von Mitgliedern eingereichten/ }).waitFor()
    const clerk = await console.open()
    await console.signIn(clerk, { username: 'roles-clerk' }, '/new')
    for (const number of ['WAITS-1', 'WAITS-2']) await notarizeFile(clerk, number)
    await clerk.getByText('Awaiting release').nth(1).waitFor()
    await clerk.getByRole('link', { name: /WAITS-1/ }).click()
    await clerk.getByRole('button', { name: 'Take back' }).waitFor()
    assert.equal(await clerk.getByRole('button', { name: 'Release' }).count(), 0)
    const page = await console.open()
    await console.signIn(page, { username: 'roles-approver' }, '/certificates')
    await page.getByText('2 certificates wait for their release.').waitFor()
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByRole('link', { name: 'WAITS-1' }).click()
    await page.locator('iframe.paper').or(page.getByText('This browser cannot show PDFs here.')).waitFor()
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('Released by roles-approver').waitFor()
    await page.getByText('Recorded on the ledger').first().waitFor()
    await page.goto(`${console.server.url}/console/certificates?state=awaitingRelease`)
    await page.getByRole('link', { name: 'WAITS-2' }).click()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByLabel(/Reason/).fill('Another heat')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('roles-approver refused the release: Another heat').first().waitFor()
    console.assertNoErrors()
  })

  test('let an approver release many at once, and say that their own still wait', async () => {
    const clerk = await console.open()
    await console.signIn(clerk, { username: 'roles-clerk' }, '/new')
    for (const number of ['MANY-1', 'MANY-2']) await notarizeFile(clerk, number)
    const page = await console.open()
    await console.signIn(page, { username: 'roles-approver' }, '/new')
    await notarizeFile(page, 'MANY-OWN')
    await page.goto(`${console.server.url}/console/certificates?state=awaitingRelease`)
    for (const number of ['MANY-1', 'MANY-2', 'MANY-OWN'])
      await page.getByRole('checkbox', { name: `Select ${number}` }).click()
    await page.getByRole('button', { name: 'Release 3 certificates' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('1 certificate still waits').waitFor()
    await page.getByRole('link', { name: 'MANY-1' }).waitFor({ state: 'detached' })
    await page.goto(`${console.server.url}/console/certificates?state=awaitingRelease`)
    await page.getByRole('link', { name: 'MANY-OWN' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^MANY-\d/ }).count(), 0)
    console.assertNoErrors()
  })
})
