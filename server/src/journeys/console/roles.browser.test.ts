import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleOfFile } from '../../../test/console.ts'
import { certificateText, heading, type Mill, openMill } from '../../../test/console-mill.ts'
import { signUp } from '../../../test/people.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    mill = await openMill(server, 'roles-admin')
    const { email } = await signUp(server, 'roles-clerk')
    const params = { id: mill.company.id }
    await mill.client.addMember({ params, body: { email, role: 'clerk' } })
  },
})

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
      'Clerk',
      'Dispatcher',
      'Reader',
    ])
    console.assertNoErrors()
  })

  test('let a clerk notarize a file and correct it, and show no button that would be refused', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'roles-clerk' }, '/new')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'clerk.json',
        mimeType: 'application/json',
        buffer: Buffer.from(certificateText({ number: 'CLERK-1' })),
      })
    await page.getByRole('button', { name: /^Notarize/ }).click()
    await page.getByRole('link', { name: /CLERK-1/ }).click()
    await heading(page, 'CLERK-1').waitFor()
    await page.getByRole('button', { name: 'Replace' }).waitFor()
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
})
