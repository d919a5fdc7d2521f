import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type FakeVies, startFakeVies } from '../../adapters/vat-registry/fake-vies.suite.ts'
import { suiteCompany } from '../../ports/vat-registry/vat-registry.suite.ts'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { codeAt, password, signUpOperator, verifyCompany } from '../../../test/people.ts'
import { linkIn } from '../../../test/test-server.ts'

const skip = await lacksChromium()
let vies: FakeVies
let console: Console
before(async () => {
  if (skip !== false) return
  vies = await startFakeVies()
  console = await startConsole({ environment: { MILLSEAL_VIES: vies.url } })
})
after(async () => {
  if (skip !== false) return
  await console[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

const vatId = `${suiteCompany.country}${suiteCompany.number}`
const email = 'petra@example.com'

const goTo = async (page: Page, screen: string) => {
  await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: screen }).waitFor()
}

/** The state of a step, in the group with this title. */
const stepIn = (page: Page, group: string, step: string, state: string) =>
  page
    .locator('section', { has: page.getByRole('heading', { name: group }) })
    .getByRole('listitem')
    .filter({ hasText: step })
    .getByText(state, { exact: true })

const register = async (page: Page) => {
  await console.server.client().registerUser({ body: { username: 'petra', email, password } })
  const [mail = ''] = await console.server.mailsTo(email, 1)
  await page.goto(linkIn(mail).href)
}

const foundCompany = async (page: Page) => {
  await page.getByRole('link', { name: 'Found your company' }).click()
  await page.getByLabel('VAT id').fill(vatId.toLowerCase().replace(/^(..)/, '$1 '))
  await page.getByText('The VAT register knows this id').waitFor()
  assert.equal(await page.getByLabel('Name of the company').inputValue(), suiteCompany.name)
  for (const label of ['Street and number', 'Postal code', 'Town'])
    assert.notEqual(await page.getByLabel(label).inputValue(), '', `${label} is filled in`)
  await page.getByRole('button', { name: 'Found the company' }).click()
  await page.getByRole('heading', { level: 1, name: suiteCompany.name }).waitFor()
  await page.getByText('Waiting for the review').waitFor()
}

const beReviewed = async (page: Page) => {
  const operator = await signUpOperator(console.server)
  const client = console.server.client(operator.accessToken)
  const company = (await client.listCompanies({})).find((each) => each.vatId === vatId)
  assert.ok(company)
  await verifyCompany(console.server, operator, company.id)
  // Nobody touches the page: it hears of the decision by itself.
  await page.getByText('Live mode is open for members with a second factor.').waitFor()
  await page.getByText('The evidence of the last review.').waitFor()
}

const setUpSecondFactor = async (page: Page) => {
  await goTo(page, 'Me')
  await page.getByRole('button', { name: 'Set up a second factor' }).click()
  await page.getByRole('button', { name: 'Show the code to scan' }).click()
  const picture = page.getByRole('img', { name: 'QR code for the authenticator app' })
  await picture.waitFor()
  await page.waitForFunction('document.querySelector(".qr").naturalWidth > 0')
  const secret = await page.locator('.copyable .mono').first().innerText()
  await page.getByLabel('The six digits that the app shows').fill(codeAt(secret, console.server.clock.now()))
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Your recovery codes', { exact: true }).waitFor()
  assert.equal(await page.locator('.codes li').count(), 10)
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.getByText('You have 10 unused recovery codes.').waitFor()
}

const createWallet = async (page: Page) => {
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Create the wallet' }).click()
  await page.getByRole('heading', { name: 'Write these words down' }).waitFor()
  const words = await page.locator('.words li').allInnerTexts()
  assert.equal(words.length, 24)
  // Leaving now would lose them, so the screen asks.
  await page.getByRole('navigation').getByRole('link', { name: 'Me', exact: true }).click()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('button', { name: 'I have written them down' }).click()
  const fields = page.getByLabel(/^Word \d+$/)
  const places = (await page.locator('label').allInnerTexts()).flatMap(
    (text) => /^Word (\d+)$/.exec(text)?.[1] ?? [],
  )
  assert.equal(places.length, 3)
  for (const [at, place] of places.entries()) await fields.nth(at).fill(words[Number(place) - 1] ?? '')
  await fields.nth(1).fill('wrong')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText(`This is not word ${places[1]}.`).waitFor()
  await fields.nth(1).fill(words[Number(places[1]) - 1] ?? '')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('The words are on your paper. The wallet is backed up.').waitFor()
  await page.getByText('Wallet for live mode').waitFor()
}

const publishIdentity = async (page: Page) => {
  await page.getByRole('button', { name: 'New identity' }).click()
  await page.getByLabel('Name').fill('Plate mill 2')
  await page.getByLabel('Department').fill('4')
  await page.getByRole('dialog').getByRole('button', { name: 'New identity' }).click()
  await page.getByText("m/44'/822'/4'/0'/0'").waitFor()
  await page.getByRole('link', { name: /^Identity/ }).click()
  await page.getByRole('button', { name: 'Make public' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(`this key belongs to ${suiteCompany.name}`).waitFor()
  await dialog.getByRole('button', { name: 'Make public' }).click()
  await page.getByText('Everybody who verifies a certificate of this identity').waitFor()
}

test('somebody registers, founds a company, is reviewed, and makes an identity public', {
  skip,
}, async () => {
  const page = await console.open()
  await register(page)
  await console.signIn(page, { username: 'petra' })
  await stepIn(page, 'You and your company', 'Confirm your e-mail address', 'Done').waitFor()
  await stepIn(page, 'You and your company', 'Found your company', 'Next').waitFor()
  await foundCompany(page)
  await beReviewed(page)
  await setUpSecondFactor(page)
  await createWallet(page)
  await publishIdentity(page)
  await goTo(page, 'Getting started')
  for (const step of ['Create a wallet', 'Create an identity', 'Make an identity public'])
    await stepIn(page, 'Certificates that count', step, 'Done').waitFor()
  await stepIn(page, 'Certificates that count', 'Notarize the first certificate', 'Next').waitFor()
  console.assertNoErrors()
})
