import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Console,
  lacksChromium,
  startConsole,
} from '../../../test/console.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { enableMfa, password, signUp } from '../../../test/people.ts'
import { addressOf } from '../../../test/test-server.ts'
import type { Database } from '../../ports/database/database.ts'

let database: Database
let console: Console
const skip = lacksChromium()
before(async () => {
  if (skip !== false) return
  database = await openTestDatabase()
  console = await startConsole({ databaseUrl: addressOf(database) })
})
after(async () => {
  if (skip !== false) return
  await console[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

type Authenticator = {
  readonly cdp: CDPSession
  readonly authenticatorId: string
  /** Whether its owner is recognized: by a finger, a face or a PIN. */
  setVerified(isUserVerified: boolean): Promise<void>
}

/** A phone or laptop that keeps passkeys. */
const plugIn = async (page: Page): Promise<Authenticator> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    cdp,
    authenticatorId,
    setVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const signInPage = (page: Page, query = 'return_to=/console/me') =>
  page.goto(`${console.server.url}/auth/login?${query}`)
const addPasskey = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill(name)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText(name, { exact: true }).waitFor()
}
const keepCodes = async (page: Page): Promise<string[]> => {
  await page.getByText('Your recovery codes', { exact: true }).waitFor()
  const codes = await page.locator('.codes li').allInnerTexts()
  await page.getByRole('button', { name: 'I have written them down' }).click()
  return codes
}
/** The session of the browser, as the server sees it. */
const strengthOf = async (userId: string) => {
  const { amr, factorAt } = await database.query
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { amr, hasFactorAt: factorAt !== null }
}
const auditOf = (userId: string) =>
  database.query
    .selectFrom('auditLog')
    .select(['action', 'details'])
    .where('action', 'like', 'mfa.%passkey')
    .where((row) => row.or([row('actor', '=', `user:${userId}`), row('action', '=', 'mfa.refuse_passkey')]))
    .orderBy('at')
    .execute()
const signOut = (page: Page) => page.context().clearCookies()

describe('passkeys', { skip }, () => {
  test('Ada adds a passkey, signs in with it alone, and removes it', async () => {
    const person = await signUp(console.server, 'ada-passkey')
    const page = await console.open()
    await plugIn(page)
    await console.signIn(page, person, '/me')
    await addPasskey(page, 'Laptop')
    assert.equal((await keepCodes(page)).length, 10)
    await page.reload()
    await page.getByText(/created .*, used .*/).waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    assert.deepEqual(await strengthOf(person.id), { amr: ['pwd', 'pop', 'mfa'], hasFactorAt: true })
    await assert.rejects(console.server.client(person.accessToken).readMe(), 'the other session has ended')

    await signOut(page)
    await signInPage(page)
    await passkeyButton(page).waitFor()
    await assertAccessible(page)
    await passkeyButton(page).click()
    await page.waitForURL('**/console/me')
    assert.deepEqual(await strengthOf(person.id), { amr: ['pop', 'user', 'mfa'], hasFactorAt: true })

    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Your account has no second factor.').waitFor()
    assert.deepEqual(
      (await auditOf(person.id)).map(({ action }) => action),
      ['mfa.create_passkey', 'mfa.delete_passkey'],
    )
    await signOut(page)
    await signInPage(page)
    await passkeyButton(page).click()
    await page.getByText('This passkey was not accepted.').waitFor()
    console.assertNoErrors()
  })

  test('Bea uses a passkey after her password, and a recovery code if it is lost', async () => {
    const person = await signUp(console.server, 'bea-passkey')
    const page = await console.open()
    const { setVerified } = await plugIn(page)
    await console.signIn(page, person, '/me')
    await addPasskey(page, 'Phone')
    const [code = ''] = await keepCodes(page)

    await signOut(page)
    await setVerified(false)
    await signInPage(page)
    await passkeyButton(page).click()
    await page.getByText('No passkey was used.').waitFor()

    const enterPassword = async () => {
      await signInPage(page)
      await page.getByLabel(/name or e-mail/).fill(person.username)
      await page.locator('input[type=password]').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    }
    await enterPassword()
    await passkeyButton(page).click()
    await page.waitForURL('**/console/me')
    assert.deepEqual(await strengthOf(person.id), { amr: ['pwd', 'pop', 'mfa'], hasFactorAt: true })

    await signOut(page)
    await enterPassword()
    await page.locator('input[name=code]').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/console/me')
    await page.getByText('You have 9 unused recovery codes.').waitFor()
    assert.deepEqual(await strengthOf(person.id), { amr: ['pwd', 'recovery', 'mfa'], hasFactorAt: true })
    console.assertNoErrors()
  })

  test('a copy of a passkey is noticed by its counter, and an answer counts once', async () => {
    const person = await signUp(console.server, 'cem-passkey')
    const page = await console.open()
    await plugIn(page)
    await console.signIn(page, person, '/me')
    await addPasskey(page, 'Key')
    await keepCodes(page)
    await database.query
      .updateTable('passkeys')
      .set({ counter: 1_000 })
      .where('userId', '=', person.id)
      .execute()
    await signOut(page)
    await signInPage(page)
    const sent = page.waitForRequest((request) => request.url().endsWith('/passkey'))
    await passkeyButton(page).click()
    await page.getByText('This passkey was not accepted.').waitFor()
    const refused = (await auditOf(person.id)).find(({ action }) => action === 'mfa.refuse_passkey')
    assert.match(JSON.stringify(refused?.details), /counter went back/)
    await console.server.mailsTo(person.email, 1, /seems to be a copy/)

    await database.query.updateTable('passkeys').set({ counter: 0 }).where('userId', '=', person.id).execute()
    const fields = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''))
    const replayed = await page.request.post((await sent).url(), {
      form: fields,
      headers: { origin: console.server.url },
      maxRedirects: 0,
    })
    assert.equal(replayed.status(), 401, 'its challenge was used')
    await signInPage(page)
    await passkeyButton(page).click()
    await page.waitForURL('**/console/me')
  })

  test('changing passkeys asks for a factor used in the last ten minutes', async () => {
    const person = await signUp(console.server, 'dia-passkey')
    const nextCode = await enableMfa(console.server, person)
    const page = await console.open()
    await plugIn(page)
    await console.signIn(page, { ...person, code: nextCode }, '/me')
    console.server.clock.advance({ minutes: 11 })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByText('Needs a second factor within the last 10 minutes').waitFor()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ])
    await popup.getByLabel(/name or e-mail/).fill(person.username)
    await popup.locator('input[type=password]').fill(password)
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    await popup.locator('input[name=code]').fill(nextCode())
    await popup.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/created .*, used .*/).waitFor()
  })
})
