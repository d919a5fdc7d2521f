import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Console, consoleOfFile } from '../../../test/console.ts'
import {
  foundCompany,
  password,
  type Person,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../../test/people.ts'

const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
let admin: Person
let reader: Person
let company: string
let identity: string

/** A company with an admin, a reader, a wallet of test mode and a public identity. */
const prepare = async ({ server }: Pick<Console, 'server'>) => {
  admin = await signUp(server, 'astrid')
  reader = await signUp(server, 'rupert')
  company = (await foundCompany(server, admin)).id
  const client = server.client(admin.accessToken)
  await client.addMember({ params: { id: company }, body: { email: reader.email, role: 'read_only' } })
  const at = { company, query: { mode: 'test' } } as const
  const { id: wallet } = await client.createWallet({ ...at, body: {} })
  const made = await client.createIdentity({ ...at, body: { coinType: 822, account: 0, wallet } })
  identity = made.id
  await client.notarizeIdentity({ ...at, params: { identityId: identity }, body: {} })
}

const { console, skip } = consoleOfFile({ prepare })

/** With a new token, because the tests let time pass. */
const clientOf = async ({ username }: Person) => {
  const { accessToken } = await console.server.client().login({ body: { username, password } })
  return console.server.client(accessToken)
}

const openAs = async ({ username }: Person, screen: string): Promise<Page> => {
  const page = await console.open()
  await console.signIn(page, { username }, screen)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const choose = async (page: Page, field: string | RegExp, option: string) => {
  await page.getByRole('button', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

describe('members', { skip }, () => {
  test('are invited by mail, change their role and leave; the last admin stays', async () => {
    const page = await openAs(admin, '/members')
    await page.getByText('The last admin stays').waitFor()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page.getByLabel('E-mail address').fill('newcomer@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await console.server.mailsTo('newcomer@example.com', 1)
    const invitation = page.getByRole('listitem').filter({ hasText: 'newcomer@example.com' })
    await invitation.getByText('The mail was sent.').waitFor()
    await invitation.getByRole('button', { name: /^Withdraw/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await invitation.getByText('Withdrawn').waitFor()
    await choose(page, /Role of rupert/, 'Admin')
    await page.getByText('The last admin stays').waitFor({ state: 'detached' })
    await choose(page, /Role of rupert/, 'Reader')
    await page.getByText('The last admin stays').waitFor()
    console.assertNoErrors()
  })

  test('who may only read see no button that would be refused, and the server refuses the call', async () => {
    const page = await openAs(reader, '/members')
    await page.getByText(admin.email).waitFor()
    assert.deepEqual(await page.locator('main').getByRole('button').allInnerTexts(), ['Leave'])
    await page.goto(`${console.server.url}/console/company`)
    await page.getByRole('heading', { name: 'Review', exact: true }).waitFor()
    assert.deepEqual(await page.locator('main').getByRole('button').allInnerTexts(), [])
    await page.goto(`${console.server.url}/console/company?part=looks`)
    await page.getByText('Only an admin of the company can change this.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save the look' }).count(), 0)
    await page.goto(`${console.server.url}/console/keys`)
    await page.getByText('Department 0').waitFor()
    assert.deepEqual(await page.locator('main button:not([role=search] *)').allInnerTexts(), [])
    await page.goto(`${console.server.url}/console/keys/${identity}`)
    await page.getByText('Technical details').click()
    await page.getByText('Derivation path').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    const client = await clientOf(reader)
    const body = { email: 'another@example.com', role: 'operator' } as const
    await assert.rejects(client.createInvitation({ params: { id: company }, body }), {
      code: 'member_role_missing',
    })
    console.assertNoErrors()
  })
})

describe('founding a company', { skip }, () => {
  test('says that a VAT id is too short once it is typed, and asks no register', async () => {
    const page = await openAs(await signUp(console.server, 'founder'), '/company/new')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const field = page.getByLabel('VAT id')
    await field.fill('DE 12')
    assert.equal(await field.getAttribute('aria-invalid'), null, 'nobody has finished typing')
    await page.keyboard.press('Tab')
    await page.getByText('This is not a valid VAT id.').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await page.getByRole('button', { name: 'Create the company', disabled: true }).waitFor()
    assert.deepEqual(
      asked.filter((url) => /vat/i.test(url)),
      [],
    )
    console.assertNoErrors()
  })
})

describe('the evidence of a review', { skip }, () => {
  test('does not say of a register that nobody asked that it gives no information', async () => {
    const owner = await signUp(console.server, 'reviewed')
    const { id } = await foundCompany(console.server, owner, { name: 'Reviewed Mill' })
    await verifyCompany(console.server, await signUpOperator(console.server), id)
    const page = await openAs(owner, '/company')
    await page.getByText('was not asked', { exact: true }).waitFor()
    console.assertNoErrors()
  })
})

describe('an account', { skip }, () => {
  test('asks to sign in again in a second window, then repeats what was asked', async () => {
    const person = await signUp(console.server, 'stepwise')
    const page = await openAs(person, '/me')
    console.server.clock.advance({ minutes: 11 })
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    await page.getByRole('button', { name: 'Show the code to scan' }).click()
    await page.getByText('The second factor was not switched on').waitFor()
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Sign in again' }).click()
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await signInAgain(popup, person)
    await closed
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    console.assertNoErrors()
  })

  test('marks this device, and ends all other sessions', async () => {
    const person = await signUp(console.server, 'everywhere')
    const other = await openAs(person, '/me')
    const page = await openAs(person, '/me')
    await page.getByText('This device').waitFor()
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('listitem').filter({ hasText: 'Signed in' }).count(), 1)
    await other.getByRole('link', { name: 'Getting started' }).click()
    await other.reload()
    await other.waitForURL('**/oidc/**')
    console.assertNoErrors()
  })

  test('changes its name and password, and says which password is wrong', async () => {
    const person = await signUp(console.server, 'renamed')
    const page = await openAs(person, '/me')
    await page.getByLabel('User name').fill('renamed-now')
    await page.getByRole('button', { name: 'Change the name' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: /^renamed-now/ }).waitFor()
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password', { exact: true }).fill('battery staple horse')
    await page.getByLabel('New password, once more').fill('battery staple horse')
    console.server.clock.advance({ minutes: 11 })
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    console.assertNoErrors()
  })
})

const signInAgain = async (popup: Page, { username }: Person) => {
  await popup.locator('input[name=login]').fill(username)
  await popup.locator('input[type=password]').fill(password)
  await popup.locator('form button').first().click()
}

describe('the look of certificates', { skip }, () => {
  test('is tried on a sample, refuses a colour that nobody can read, and is stored for one receiver', async () => {
    const page = await openAs(admin, '/company?part=looks')
    const paper = page.getByRole('region', { name: 'Preview' })
    await paper.getByText('Inspection certificate 3.1').waitFor()
    await page.getByLabel('Line at the end, English').fill('Rolling Mill, ISO 9001')
    await paper.getByText('Rolling Mill, ISO 9001').waitFor()
    await page.getByLabel('Colour of titles and lines').fill('#ffee00')
    await page.getByRole('button', { name: 'Save the look' }).click()
    await page.getByText('This colour is too light').waitFor()
    await page.getByRole('button', { name: /^Use #/ }).click()
    await page.getByRole('button', { name: 'Save the look' }).click()
    await page.getByText('Saved. The next certificates have this look.').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
    await page.getByRole('img', { name: 'Logo' }).waitFor()
    await page.getByRole('button', { name: 'One receiver …' }).click()
    await page.getByLabel('VAT id or mail domain').fill('SteelTrading.de')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('What you leave empty is as in the look for all receivers.').waitFor()
    await page.getByLabel('Line at the end, English').fill('For Steel Trading')
    await page.getByRole('button', { name: 'Save the look' }).click()
    await page.getByText('Saved. The next certificates have this look.').waitFor()
    const looks = await (await clientOf(admin)).listLooks({ params: { id: company } })
    assert.deepEqual(
      looks.map(({ receiver, footer }) => [receiver, footer]),
      [
        [undefined, { en: 'Rolling Mill, ISO 9001' }],
        ['steeltrading.de', { en: 'For Steel Trading' }],
      ],
    )
    console.assertNoErrors()
  })
})

describe('keys and transactions', { skip }, () => {
  test('show who signed what, check the signature, and name the place in the log', async () => {
    const page = await openAs(admin, '/transactions')
    await page.locator('tbody').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Identity made public' }).waitFor()
    await page.getByText('The signature fits. Checked in this browser.').waitFor()
    await page.locator('.picture').getByText('Rolling Mill').waitFor()
    await page.getByText(/^Entry \d+/).waitFor()
    console.assertNoErrors()
  })

  test('show the words of a wallet once more, and recover it with them', async () => {
    const page = await openAs(admin, '/keys')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await showWords(page)
    const words = await page.locator('.words li').allInnerTexts()
    assert.equal(words.length, 24)
    await page.goto(`${console.server.url}/console/keys`)
    await page.getByText('Backed up', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Recover' }).click()
    await page.getByLabel('The words, in their order').fill(words.join('  '))
    await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click()
    await page.getByText('All 1 identities are valid: your paper is right.').waitFor()
    console.assertNoErrors()
  })
})

const showWords = async (page: Page) => {
  await page.getByRole('alertdialog').getByRole('button', { name: 'Show the words' }).click()
  await page.locator('.words').waitFor()
}
