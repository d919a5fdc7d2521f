import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { filesOf, zipOf } from '@millseal/families/testing/archives'
import type { Page } from 'playwright-core'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { enableMfa, foundCompany, type Person, signUp } from '../../../test/people.ts'
import { settledBox } from '../../../test/settled-box.ts'
import {
  answerJson,
  type FakeVies,
  startFakeVies,
  verdict,
} from '../../adapters/vat-registry/fake-vies.suite.ts'
import { makeOperatorIn } from '../../compose/commands.ts'

const skip = lacksChromium()
let console: Console
let vies: FakeVies
let operator: Person
let nextCode: () => string

before(async () => {
  if (skip !== false) return
  vies = await startFakeVies()
  console = await startConsole({ environment: { MILLSEAL_VIES: vies.url, MILLSEAL_OPERATOR_MFA: 'on' } })
  operator = await signUpAsOperator('olivia')
  nextCode = await enableMfa(console.server, operator)
})
after(async () => {
  if (skip !== false) return
  await console[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

const signUpAsOperator = async (username: string): Promise<Person> => {
  const person = await signUp(console.server, username)
  await makeOperatorIn(console.server.config, { email: person.email })
  return person
}

const openAsOperator = async (screen: string, page?: Page): Promise<Page> => {
  const opened = page ?? (await console.open())
  await console.signIn(opened, { username: operator.username, code: nextCode }, screen)
  await opened.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const foundBy = async (username: string, name: string) =>
  foundCompany(console.server, await signUp(console.server, username), { name })

describe('an operator', { skip }, () => {
  test('reviews a company while the register is down, sees unknown, decides, and finds it in the audit log, by keyboard alone', async () => {
    vies.behave((response) => void response.writeHead(500).end())
    const company = await foundBy('founder-six', 'Silent Register Mill')
    const page = await openAsOperator('/operator/reviews')
    await keyboard.press(page.getByRole('link', { name: company.name }))
    await page.getByText('The register gives no information.').waitFor()
    for (const field of [/^Name/, /^Country/])
      await page.getByRole('row', { name: field }).getByRole('cell', { name: 'Unknown' }).waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Verify' }))
    await keyboard.write(page.getByLabel('Reason'), 'Extract from the commercial register, seen today')
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Verify' }))
    await page.getByText(`${company.name} is verified.`).waitFor()
    await page.getByText('The register said: unknown: no answer').waitFor()
    await keyboard.press(page.getByRole('main').getByRole('link', { name: 'Audit log' }))
    await page.waitForURL(`**/operator/audit?of=${company.id}`)
    const entry = page.getByRole('row', { name: /Company reviewed/ })
    await entry.getByRole('cell', { name: 'olivia' }).waitFor()
    await keyboard.press(entry.getByRole('button'))
    await page.getByRole('dialog').getByText('"register": "unknown"').waitFor()
    console.assertNoErrors()
  })

  test('sees what differs from the register, and must give a reason for a rejection', async () => {
    vies.behave((response, question) =>
      answerJson(
        response,
        verdict(question, true, { name: 'OTHER MILL GMBH', address: 'FURNACE STREET 1\n4020 STEELTON' }),
      ),
    )
    const company = await foundBy('founder-differs', 'Not That Mill')
    const page = await openAsOperator(`/operator/reviews/${company.id}`)
    await page.getByRole('row', { name: /Not That Mill OTHER MILL GMBH Differs/ }).waitFor()
    await page.getByRole('row', { name: /^Street Furnace Street 1.* Same/ }).waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Write why, so that the company knows what to correct.').waitFor()
    await page.getByLabel('Reason').fill('The register has another name')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText(`${company.name} is rejected.`).waitFor()
    await page.goto(`${console.server.url}/console/operator/companies?state=rejected&text=not+that`)
    await page.getByRole('row', { name: /Not That Mill.*Rejected/ }).waitFor()
    console.assertNoErrors()
  })

  test('without a second factor reads everything, and sees the way to it in place of the decision', async () => {
    await signUpAsOperator('factorless')
    const company = await foundBy('founder-factorless', 'Waiting Mill')
    const page = await console.open()
    await console.signIn(page, { username: 'factorless' }, `/operator/reviews/${company.id}`)
    await page.getByText('You cannot review yet: you have no second factor').waitFor()
    assert.equal(await page.getByRole('button', { name: /Verify|Reject/ }).count(), 0)
    await page.getByRole('link', { name: 'Set up a second factor' }).click()
    await page.waitForURL('**/console/me')
    console.assertNoErrors()
  })

  test('deactivates a user, who is signed out, and activates the account again', async () => {
    const person = await signUp(console.server, 'leaving')
    const theirs = await console.open()
    await console.signIn(theirs, { username: 'leaving' })
    const page = await openAsOperator('/operator/users')
    await page.getByRole('searchbox', { name: 'Search users' }).fill('leaving')
    await page.waitForURL('**/operator/users?text=leaving')
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('button', { name: 'Deactivate: leaving' }).click()
    await page.getByText('leaving is signed out everywhere at once').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('cell', { name: 'Inactive' }).waitFor()
    await theirs.reload()
    await theirs.waitForURL('**/oidc/**')
    await page.getByRole('button', { name: `Activate: ${person.username}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('cell', { name: 'Active' }).waitFor()
    console.assertNoErrors()
  })

  test('finds a company, a user and an entry in lists that say how many there are and lead back to all', async () => {
    await foundBy('founder-of-lists', 'Listed Mill')
    const page = await openAsOperator('/operator/reviews')
    for (const screen of ['reviews', 'companies', 'users', 'audit']) {
      await page.goto(`${console.server.url}/console/operator/${screen}`)
      const count = page.getByRole('search').getByRole('status')
      await count.getByText(/^\d+ of \d+$/).waitFor()
      if (screen !== 'audit') {
        await page.keyboard.press('/')
        await page.keyboard.type('nobody has this')
      } else await page.goto(`${page.url()}?action=nobody.did_this`)
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
      assert.equal(await count.textContent(), '')
      await page.getByRole('button', { name: 'Clear all filters' }).last().click()
      await count.getByText(/^[1-9]\d* of \d+$/).waitFor()
    }
    await page.goto(`${console.server.url}/console/operator/reviews?text=listed+mill`)
    await page.getByRole('search').getByText('1 of 1').waitFor()
    console.assertNoErrors()
  })

  test('uploads schemas, sees what was taken and what was refused, and removes them', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const $id = 'https://example.org/valve-schemas/v1.0.0/schema.json'
    const archive = zipOf(
      filesOf({
        'repository/Valve/v1.0.0/schema.json': JSON.stringify({ $schema, $id, type: 'object' }),
        'repository/Valve/v9.0.0/schema.json': '{',
      }),
    )
    const page = await openAsOperator('/operator/schemas')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose an archive' }).click()
    await (await chooser).setFiles({ name: 'valves.zip', mimeType: 'application/zip', buffer: archive })
    await page.getByText('1 schema was imported.').waitFor()
    await page.getByRole('row', { name: /v9\.0\.0\/schema\.json must be JSON/ }).waitFor()
    await page.getByRole('row', { name: new RegExp($id) }).waitFor()
    await page.getByRole('button', { name: /^Remove: / }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No pack was imported').waitFor()
    console.assertNoErrors()
  })

  test('finds the two ends of a period beside each other on a phone', async () => {
    const page = await console.open({ viewport: { width: 390, height: 844 } })
    await openAsOperator('/operator/audit', page)
    const boxOf = (name: string) => settledBox(page.getByLabel(name, { exact: true }))
    const [from, to] = [await boxOf('From'), await boxOf('To')]
    assert.equal(from.y, to.y)
    assert.equal(from.width, to.width)
    console.assertNoErrors()
  })

  test('exports the entries of the audit log that are shown', async () => {
    const page = await openAsOperator('/operator/audit?action=users.make_operator')
    await page.getByRole('cell', { name: 'User made an operator' }).first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const [head = '', ...lines] = text.trim().split('\r\n')
    assert.match(head, /"Who","actor","What"/)
    assert.ok(lines.length > 0 && lines.every((line) => line.includes('users.make_operator')))
    console.assertNoErrors()
  })
})

describe('the screens of operators', { skip }, () => {
  test('are not there for anybody else, and say so at their addresses', async () => {
    await signUp(console.server, 'no-operator')
    const page = await console.open()
    await console.signIn(page, { username: 'no-operator' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
    for (const screen of ['reviews', 'companies', 'users', 'networks', 'schemas', 'health', 'audit']) {
      await page.goto(`${console.server.url}/console/operator/${screen}`)
      await page.getByRole('heading', { name: 'This is for the operators of the service' }).waitFor()
    }
    console.assertNoErrors()
  })
})
