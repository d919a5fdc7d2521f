import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { heading } from '../../../test/console-mill.ts'
import { type OtherIssuer, startOtherIssuer } from '../../../test/other-issuer.ts'
import { freePort } from '../../../test/server-process.ts'

const skip = lacksChromium()
let console: Console
let issuer: OtherIssuer
before(async () => {
  if (skip !== false) return
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  issuer = await startOtherIssuer(`${publicUrl}/auth/callback`)
  await issuer.know({
    anna: { email: 'anna@corp.example', email_verified: true, preferred_username: 'anna' },
    bert: { email: 'bert@corp.example', email_verified: true, preferred_username: 'bert' },
    nora: { email: 'nora@corp.example', email_verified: false },
  })
  console = await startConsole({
    environment: {
      MILLSEAL_PORT: String(port),
      MILLSEAL_PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
    },
  })
})
after(async () => {
  if (skip !== false) return
  await console[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

/** The pages of this provider ask a foreign host for their typeface and are drawn only when it has answered. */
const open = async (): Promise<Page> => {
  const page = await console.open()
  await page.context().route(/fonts\.googleapis\.com/, (route) => route.abort())
  return page
}

const consoleAt = (screen: string): string => `${console.server.url}/console${screen}`

/** Fills in the provider's own page. */
const sayWho = async (page: Page, account: string): Promise<void> => {
  await page.waitForURL(`${issuer.issuer}/**`)
  await page.locator('input[name=login]').fill(account)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

/** The first time, the provider also asks whether Millseal may know who it is. */
const signInThere = async (page: Page, account: string): Promise<void> => {
  await sayWho(page, account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const failure = (page: Page) => page.getByRole('heading', { level: 1, name: 'Signing in did not work' })

describe('somebody whose company has an identity provider', { skip }, () => {
  test('is sent there by the console, signs in on its pages, comes back, founds a company and signs out', async () => {
    const page = await open()
    await page.goto(consoleAt('/start?mode=test'))
    await signInThere(page, 'anna')
    await page.waitForURL(consoleAt('/start?mode=test'))
    await heading(page, 'Getting started').waitFor()
    await page.getByRole('button', { name: /^anna/ }).waitFor()
    await page.reload()
    await heading(page, 'Getting started').waitFor()

    await page.getByRole('link', { name: 'Create your company' }).click()
    await page.getByLabel('VAT id').fill('ATU74488404')
    await page.getByText(/does not publish the name/).waitFor()
    await page.getByLabel('Name of the company').fill('Corporate Mill')
    await page.getByLabel('Street and number').fill('Mill Road 1')
    await page.getByLabel('Postal code').fill('1010')
    await page.getByLabel('Town').fill('Vienna')
    await page.getByRole('button', { name: 'Create the company' }).click()
    await heading(page, 'Getting started').waitFor()
    await page.getByText('Corporate Mill').first().waitFor()

    await page.getByRole('button', { name: /^anna/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Register' }).count(), 0)
    const answer = await page.request.get(`${console.server.url}/api/users/me`, {
      headers: { 'x-millseal-console': '1' },
    })
    assert.equal(answer.status(), 401)
    console.assertNoErrors(/net::ERR_FAILED/)
  })

  test('who cancels there reads what happened, and comes to the console from that page', async () => {
    const page = await open()
    await page.goto(consoleAt('/start'))
    await page.waitForURL(`${issuer.issuer}/**`)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await failure(page).waitFor()
    await page.getByText(/was cancelled/).waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await signInThere(page, 'bert')
    await page.waitForURL(consoleAt('/**'))
    await heading(page, 'Getting started').waitFor()
    await page.getByRole('button', { name: /^bert/ }).waitFor()
    console.assertNoErrors(/net::ERR_FAILED/)
  })

  test('is asked there again for what needs a recent sign-in, in a second window', async () => {
    const page = await open()
    await page.goto(consoleAt('/me'))
    await signInThere(page, 'anna')
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    // Without a word of the provider about when, no sign-in is recent.
    await page.getByRole('button', { name: 'Show the code to scan' }).click()
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Sign in again' }).click()
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await sayWho(popup, 'anna')
    await closed
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    console.assertNoErrors(/net::ERR_FAILED/)
  })

  test('whose address the provider has not verified reads whom to ask', async () => {
    const page = await open()
    await page.goto(consoleAt('/start'))
    await signInThere(page, 'nora')
    await failure(page).waitFor()
    await page.getByText(/has not verified your e-mail address/).waitFor()
    await page.getByText(/Ask/).waitFor()
    console.assertNoErrors(/net::ERR_FAILED/)
  })

  test('who takes too long reads that it has expired, and signs in from that page', async () => {
    const page = await open()
    await page.goto(consoleAt('/start'))
    await page.waitForURL(`${issuer.issuer}/**`)
    // The clock of the provider stays as it is, so this is the last test.
    console.server.clock.advance({ minutes: 16 })
    await signInThere(page, 'bert')
    await failure(page).waitFor()
    await page.getByText(/has expired/).waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await heading(page, 'Getting started').waitFor()
    console.assertNoErrors(/net::ERR_FAILED/)
  })
})
