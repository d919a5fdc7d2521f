import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  answerJson,
  type FakeVies,
  startFakeVies,
  verdict,
} from '../../adapters/vat-registry/fake-vies.suite.ts'
import { suiteCompany } from '../../ports/vat-registry/vat-registry.suite.ts'
import { makeOperatorIn } from '../../compose/commands.ts'
import { fillSteel, pasteChemistry } from '../../../test/console-form.ts'
import { type Hand, keyboard, mouse } from '../../../test/console-hand.ts'
import { dropBytes, heading } from '../../../test/console-mill.ts'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { codeAt, enableMfa, password, signUp } from '../../../test/people.ts'
import { inChromium, until } from '../../../test/receiver-pages.ts'
import { linkIn } from '../../../test/test-server.ts'
import { freshVatId } from '../../../test/vat-ids.ts'

const skip = lacksChromium()
let vies: FakeVies
let console: Console
let nextCode: () => string
before(async () => {
  if (skip !== false) return
  vies = await startFakeVies()
  console = await startConsole({ environment: { MILLSEAL_VIES: vies.url } })
  const olivia = await signUp(console.server, 'olivia')
  await makeOperatorIn(console.server.config, { email: olivia.email })
  nextCode = await enableMfa(console.server, olivia)
})
after(async () => {
  if (skip !== false) return
  await console[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

/** Who does it, for which company, and how. */
type Founder = {
  readonly page: Page
  readonly hand: Hand
  readonly username: string
  readonly vatId: string
  readonly company: string
}

const goTo = async ({ page, hand }: Founder, screen: string) => {
  await hand.press(page.getByRole('navigation').getByRole('link', { name: screen, exact: true }))
  await heading(page, screen).waitFor()
}

/** The line of a step, in the group with this title. */
const lineOf = (page: Page, group: string, step: string) =>
  page
    .locator('section', { has: page.getByRole('heading', { name: group }) })
    .getByRole('listitem')
    .filter({ hasText: step })

const stepIn = (page: Page, group: string, step: string, state: string) =>
  lineOf(page, group, step).getByText(state, { exact: true })

const register = async ({ page, hand, username }: Founder) => {
  const email = `${username}@example.com`
  await page.goto(console.server.url)
  await hand.press(page.getByRole('link', { name: 'Register' }))
  await hand.write(page.getByLabel('User name'), username)
  await hand.write(page.getByLabel('E-mail address'), email)
  await hand.write(page.getByLabel('Password'), password)
  await hand.press(page.getByRole('button', { name: 'Register' }))
  await page.waitForURL('**/register/sent')
  const [mail = ''] = await console.server.mailsTo(email, 1)
  await page.goto(linkIn(mail).href)
}

const signIn = async ({ page, hand, username }: Founder) => {
  await page.goto(`${console.server.url}/console`)
  await hand.write(page.locator('input[name=login]'), username)
  await hand.write(page.locator('input[type=password]'), password)
  await hand.press(page.locator('form button').first())
  await heading(page, 'Getting started').waitFor()
}

const foundCompany = async ({ page, hand, vatId, company }: Founder) => {
  await hand.press(page.getByRole('link', { name: 'Create your company' }))
  await hand.write(page.getByLabel('VAT id'), vatId.toLowerCase().replace(/^(..)/, '$1 '))
  await page.getByText('The VAT register knows this id').waitFor()
  assert.equal(await page.getByLabel('Name of the company').inputValue(), company)
  for (const label of ['Street and number', 'Postal code', 'Town'])
    assert.notEqual(await page.getByLabel(label).inputValue(), '', `${label} is filled in`)
  await hand.press(page.getByRole('button', { name: 'Create the company' }))
  // The way on, not the data of the company: others review it now, and the next thing to do is another.
  await heading(page, 'Getting started').waitFor()
  await stepIn(page, 'You and your company', 'Have the company verified', 'Waiting').waitFor()
  await stepIn(page, 'You and your company', 'Set up a second factor', 'Next').waitFor()
  await hand.press(page.getByRole('link', { name: 'Have the company verified' }))
  await heading(page, company).waitFor()
  await page.getByText('Waiting for the review').waitFor()
}

/** An operator decides in a browser of their own. */
const beReviewed = async ({ page, hand, company }: Founder) => {
  const theirs = await console.open()
  await console.signIn(theirs, { username: 'olivia', code: nextCode }, '/operator/reviews')
  await hand.press(theirs.getByRole('link', { name: company }))
  await hand.press(theirs.getByRole('button', { name: 'Verify' }))
  await hand.press(theirs.getByRole('dialog').getByRole('button', { name: 'Verify' }))
  await theirs.getByText(`${company} is verified.`).waitFor()
  await theirs.context().close()
  // Nobody touches the page: it hears of the decision by itself.
  await page.getByText('Live mode is open for members with a second factor.').waitFor()
  await page.getByText('The evidence of the last review.').waitFor()
}

const setUpSecondFactor = async (founder: Founder) => {
  const { page, hand } = founder
  await goTo(founder, 'My account')
  await hand.press(page.getByRole('button', { name: 'Set up a second factor' }))
  await hand.press(page.getByRole('button', { name: 'Show the code to scan' }))
  const picture = page.getByRole('img', { name: 'QR code for the authenticator app' })
  await picture.waitFor()
  await page.waitForFunction('document.querySelector(".qr").naturalWidth > 0')
  const secret = await page.locator('.copyable .mono').first().innerText()
  const code = codeAt(secret, console.server.clock.now())
  await hand.write(page.getByLabel('The six digits that the app shows'), code)
  await hand.press(page.getByRole('button', { name: 'Switch on' }))
  await page.getByText('Your recovery codes', { exact: true }).waitFor()
  assert.equal(await page.locator('.codes li').count(), 10)
  await hand.press(page.getByRole('button', { name: 'I have written them down' }))
  await page.getByText('You have 10 unused recovery codes.').waitFor()
}

/** "wrong" would be one of the 2,048 words. */
const noWord = 'mistaken'

const createWallet = async (founder: Founder) => {
  const { page, hand } = founder
  await goTo(founder, 'Keys')
  await hand.press(page.getByRole('button', { name: 'Create the wallet' }))
  await page.getByRole('heading', { name: 'Write these words down' }).waitFor()
  const words = await page.locator('.words li').allInnerTexts()
  assert.equal(words.length, 24)
  // Leaving now would lose them, so the screen asks.
  await hand.press(page.getByRole('navigation').getByRole('link', { name: 'My account', exact: true }))
  await hand.press(page.getByRole('button', { name: 'Stay here' }))
  await hand.press(page.getByRole('button', { name: 'I have written them down' }))
  const fields = page.getByLabel(/^Word \d+$/)
  await fields.first().waitFor()
  const places = (await page.locator('label').allInnerTexts()).flatMap(
    (text) => /^Word (\d+)$/.exec(text)?.[1] ?? [],
  )
  assert.equal(places.length, 3)
  for (const [at, place] of places.entries())
    await hand.write(fields.nth(at), at === 1 ? noWord : (words[Number(place) - 1] ?? ''))
  await hand.press(page.getByRole('button', { name: 'Check' }))
  await page.getByText(`This is not word ${places[1]}.`).waitFor()
  await hand.write(fields.nth(1), words[Number(places[1]) - 1] ?? '')
  await hand.press(page.getByRole('button', { name: 'Check' }))
  await page.getByText('The words are on your paper. The wallet is backed up.').waitFor()
  await page.getByText('Wallet for live mode').waitFor()
}

const publishIdentity = async ({ page, hand, company }: Founder) => {
  await hand.press(page.getByRole('button', { name: 'New identity' }))
  await hand.write(page.getByLabel('Name'), 'Plate mill 2')
  await hand.write(page.getByLabel('Department'), '4')
  await hand.press(page.getByRole('dialog').getByRole('button', { name: 'New identity' }))
  await page.getByText('Department 4').waitFor()
  await hand.press(page.getByRole('link', { name: /^Identity/ }))
  await hand.press(page.getByRole('button', { name: 'Make public' }))
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(`this key belongs to ${company}`).waitFor()
  await hand.press(dialog.getByRole('button', { name: 'Make public' }))
  await page.getByText('People who verify your certificates see').waitFor()
}

const number = 'FIRST-1'

/** Returns the PDF that the form offers at the end. */
const notarizeFirst = async (founder: Founder): Promise<Buffer> => {
  const { page, hand } = founder
  await goTo(founder, 'Getting started')
  const group = 'Issue valid certificates'
  for (const step of ['Create a wallet', 'Create an identity', 'Make an identity public'])
    await stepIn(page, group, step, 'Done').waitFor()
  const first = 'Notarize the first certificate'
  await stepIn(page, group, first, 'Next').waitFor()
  await hand.press(lineOf(page, group, first).getByRole('link'))
  await hand.press(page.getByRole('link', { name: 'Fill in a form' }))
  await hand.press(page.getByRole('link', { name: 'EN 10168' }))
  await fillSteel(page, number, hand)
  await pasteChemistry(page, hand)
  await page.getByText('Nothing is missing', { exact: true }).waitFor()
  await hand.press(page.getByRole('button', { name: 'Notarize' }))
  await page.getByRole('link', { name: 'Open the certificate' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    hand.press(page.getByRole('button', { name: 'PDF' })),
  ])
  await goTo(founder, 'Getting started')
  await page.getByText('Everything is set up.').waitFor()
  return readFile(await download.path())
}

const verifyByDrop = async ({ company }: Founder, bytes: Buffer) => {
  const page = await console.open()
  const receiver = inChromium(page)
  await receiver.open(`${console.server.url}/verify`)
  await until(receiver, `root.querySelector('#file')`)
  await dropBytes(page, [{ name: 'certificate.pdf', type: 'application/pdf', bytes }])
  await until(
    receiver,
    `!root.querySelector('#result').hidden && root.querySelector('#verdict').textContent !== ''`,
  )
  assert.equal(await receiver.read(`root.querySelector('#verdict').textContent`), 'GENUINE')
  const text = await receiver.read<string>(`root.querySelector('#result').innerText`)
  for (const says of ['Unchanged', `By ${company}`, number]) assert.ok(text.includes(says), text)
}

describe('somebody registers, gets a company reviewed and notarizes, and a receiver verifies the PDF', {
  skip,
}, () => {
  const tell = async (founder: Founder) => {
    const { page } = founder
    await register(founder)
    await signIn(founder)
    await stepIn(page, 'You and your company', 'Confirm your e-mail address', 'Done').waitFor()
    await stepIn(page, 'You and your company', 'Create your company', 'Next').waitFor()
    await foundCompany(founder)
    await beReviewed(founder)
    await setUpSecondFactor(founder)
    await createWallet(founder)
    await publishIdentity(founder)
    await verifyByDrop(founder, await notarizeFirst(founder))
    console.assertNoErrors()
  }

  test('with the mouse', async () =>
    tell({
      page: await console.open(),
      hand: mouse,
      username: 'petra',
      vatId: `${suiteCompany.country}${suiteCompany.number}`,
      company: suiteCompany.name,
    }))

  test('by keyboard alone, and always sees where the focus is', async () => {
    const company = 'KEYBOARD MILL GMBH'
    const address = 'FURNACE STREET 1\n4020 STEELTON'
    vies.behave((response, question) =>
      answerJson(response, verdict(question, true, { name: company, address })),
    )
    const page = await console.open()
    await tell({ page, hand: keyboard, username: 'katja', vatId: freshVatId(), company })
  })
})
