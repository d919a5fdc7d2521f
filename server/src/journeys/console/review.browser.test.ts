import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { enableMfa, foundCompany, type Person, signUp, verifyCompany } from '../../../test/people.ts'
import { makeOperatorIn } from '../../compose/commands.ts'

const skip = lacksChromium()
let console: Console
let operator: Person
let nextCode: () => string

before(async () => {
  if (skip !== false) return
  console = await startConsole()
  operator = await signUp(console.server, 'olivia')
  await makeOperatorIn(console.server.config, { email: operator.email })
  nextCode = await enableMfa(console.server, operator)
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

const openAsOperator = async (screen: string): Promise<Page> => {
  const page = await console.open()
  await console.signIn(page, { username: operator.username, code: nextCode }, screen)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

describe('an operator who reviews a company', { skip }, () => {
  test('sees a verified one of which its name makes readers think, and verifies it only after saying that it is another', async () => {
    const { server } = console
    const mill = await foundCompany(server, await signUp(server, 'true-mill'), { name: 'Acme Steel GmbH' })
    await verifyCompany(server, operator, mill.id)
    const founder = await signUp(server, 'double')
    const double = await foundCompany(server, founder, { name: '\u0391CME Stee1' })
    const page = await openAsOperator('/operator/reviews')
    await page.getByRole('row', { name: /Name like a verified company/ }).waitFor()
    await page.getByRole('link', { name: double.name }).click()
    await page.getByText('The name has letters of several alphabets').waitFor()
    const other = page.getByRole('row', { name: `${mill.name} ${mill.vatId} AT Verified` })
    assert.match((await other.getByRole('link').getAttribute('href')) ?? '', new RegExp(`${mill.id}$`))

    await page.getByRole('button', { name: 'Verify' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await dialog.getByText('Confirm that it is another company').waitFor()
    const isVerified = async () =>
      (await server.client(founder.accessToken).readCompany({ params: { id: double.id } })).verified
    assert.equal(await isVerified(), false)
    await dialog
      .getByText(`I have compared it with ${mill.name} (${mill.vatId}): it is another company`)
      .click()
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(`${double.name} is verified.`).waitFor()
    assert.equal(await isVerified(), true)
    console.assertNoErrors()
  })
})
