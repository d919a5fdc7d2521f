import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from '../../test/axe.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Console,
  lacksChromium,
  startConsole,
} from '../../test/console.ts'
import { enableMfa, password, signUp } from '../../test/people.ts'
import { linkIn } from '../../test/test-server.ts'

const skip = lacksChromium()
let console: Console
before(async () => {
  if (skip === false) console = await startConsole({ environment: { MILLSEAL_OPERATOR_NAME: 'A Mill' } })
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

const looks = [
  { colorScheme: 'light', locale: 'en-GB' },
  { colorScheme: 'dark', locale: 'de-DE' },
] as const

/** The only scripts: for passkeys, and the element that verifies files on the home page. */
const ownScripts: readonly (readonly [page: RegExp, script: RegExp])[] = [
  [/^\/oidc\/interaction\//, /^\/console\/assets\/passkey-[\w-]+\.js$/],
  [/^\/$/, /^\/verify\/millseal-verify\.js$/],
]

/** Accessible and without sideways scrolling, on a phone and a screen, and without other scripts than these. */
const assertGood = async (page: Page): Promise<void> => {
  for (const width of [320, 360, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    await assertNoSidewaysScroll(page)
    if (width === 360 || width === 1280) await assertAccessible(page)
  }
  const scripts = await page.evaluate<readonly string[]>(
    '[...document.scripts].map(({ src }) => new URL(src).pathname)',
  )
  const { pathname } = new URL(page.url())
  const own = ownScripts.filter(([of]) => of.test(pathname)).map(([, script]) => script)
  assert.deepEqual(
    scripts.filter((path) => !own.some((script) => script.test(path))),
    [],
    page.url(),
  )
  assert.ok((await page.evaluate<number>('document.fonts.size')) > 0)
}

/** Sends the form as a browser without its own checks of the fields would. */
const send = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  await page.evaluate("document.querySelector('form').noValidate = true")
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value)
  await page.locator('form button').first().click()
}

const mailedLink = async (email: string, about: RegExp): Promise<string> => {
  const mails = await console.server.mailsTo(email, 1, about)
  return linkIn(mails.at(-1) ?? '').href
}

const plainPages = [
  '/',
  '/register',
  '/register/sent',
  '/resend-confirmation',
  '/resend-confirmation/sent',
  '/forgot-password',
  '/forgot-password/sent',
  '/reset-password',
  '/reset-password/done',
  '/unlock-sign-in',
  '/unlock-sign-in/done',
  '/confirm-email',
  '/welcome',
  '/no-such-page',
  '/auth/callback',
  '/auth/login',
  `/unsubscribe/${'x'.repeat(43)}`,
  `/files/${'x'.repeat(43)}`,
  '/ledger/test/vat-ids/ATU13585627',
]

describe('the pages of the server', { skip }, () => {
  for (const look of looks) {
    const name = `${look.colorScheme}-${look.locale.slice(0, 2)}`
    test(`are accessible at every width: ${name}`, async () => {
      const page = await console.open(look)
      const missing: string[] = []
      page.on('response', (answer) => {
        if (answer.status() === 404 && !answer.url().endsWith('/no-such-page')) missing.push(answer.url())
      })
      for (const path of plainPages) {
        await page.goto(`${console.server.url}${path}`)
        await assertGood(page)
        assert.equal(await page.locator('html').getAttribute('lang'), look.locale.slice(0, 2), path)
      }
      assert.deepEqual(missing, [])
      console.assertNoErrors()
    })

    test(`are accessible with problems in their forms: ${name}`, async () => {
      const page = await console.open(look)
      await page.goto(`${console.server.url}/register`)
      await send(page, { username: 'x', email: 'x', password: 'x' })
      await page.getByRole('alert').nth(2).waitFor()
      await assertGood(page)
      await page.goto(`${console.server.url}/forgot-password`)
      await send(page, { email: 'x' })
      await page.getByRole('alert').waitFor()
      await assertGood(page)
      const { username, email } = await signUp(console.server, `problem-${name}`)
      await console.server.client().requestPasswordReset({ params: { email } })
      await page.goto(await mailedLink(email, /Subject: Set a new password/))
      await assertGood(page)
      await send(page, { password: 'x' })
      await page.getByRole('alert').waitFor()
      await assertGood(page)
      await page.goto(`${console.server.url}/auth/login`)
      await send(page, { login: username, password: 'wrong' })
      await page.getByRole('alert').waitFor()
      await assertGood(page)
      console.assertNoErrors()
    })

    test(`ask for a code: ${name}`, async () => {
      const code = await enableMfa(console.server, await signUp(console.server, `coded-${name}`))
      const page = await console.open(look)
      await page.goto(`${console.server.url}/auth/login`)
      await send(page, { login: `coded-${name}`, password })
      await page.locator('[name=code]').waitFor()
      await assertGood(page)
      await send(page, { code: 'x' })
      await page.getByRole('alert').waitFor()
      await assertGood(page)
      await send(page, { code: code() })
      await page.waitForURL('**/console/**')
      console.assertNoErrors()
    })
  }

  test('take a person from the home page over registration and the mail into the console, by keyboard', async () => {
    const page = await console.open()
    const email = 'by-keyboard@example.com'
    await page.goto(console.server.url)
    await page.getByRole('link', { name: 'Register' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/register')
    await page.getByLabel('User name').focus()
    for (const value of ['by-keyboard', email, password]) {
      await page.keyboard.type(value)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL('**/register/sent')
    await page.goto(await mailedLink(email, /^/))
    await page.getByRole('link', { name: 'Sign in' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/oidc/**')
    await page.locator('[name=login]:focus').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/**')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(console.server.url)
    await page.waitForURL('**/console/**')
    console.assertNoErrors()
  })

  test('change their language with a link, which is kept', async () => {
    const page = await console.open()
    await page.goto(`${console.server.url}/auth/login`)
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    await page.goto(console.server.url)
    await page.getByRole('link', { name: 'Registrieren' }).waitFor()
    console.assertNoErrors()
  })
})

describe('the API reference', { skip }, () => {
  for (const colorScheme of ['light', 'dark'] as const)
    test(`is accessible, also with an operation opened, ${colorScheme}`, async () => {
      const page = await console.open({ colorScheme })
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).origin))
      await page.goto(`${console.server.url}/docs`)
      await page.getByRole('link', { name: 'certificate-service' }).waitFor()
      const look = '[getComputedStyle(document.querySelector("h1")).fontFamily, document.body.className]'
      const [font, theme] = await page.evaluate<readonly string[]>(look)
      assert.match(font ?? '', /^"IBM Plex Sans"/)
      assert.equal(theme, `${colorScheme}-mode`)
      assert.equal(await page.getByRole('link', { name: 'Millseal' }).getAttribute('href'), '/')
      const assertNoViolation = async (without: readonly string[] = []) =>
        assert.deepEqual(await findViolations(page, { all: true, without }), [])
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await assertNoViolation()
      }
      await page.goto(`${console.server.url}/docs/api#tag/certificates/POST/certificates/notarize`)
      await page.getByRole('heading', { name: 'Notarize a certificate' }).first().waitFor()
      // Each operation has a region with the name "Example Responses".
      await assertNoViolation(['landmark-unique'])
      assert.deepEqual([...hosts], [console.server.url])
      console.assertNoErrors(/^Applying inline style violates .* 'style-src-attr 'none''/)
    })

  test('sends a request with the token that was typed', async () => {
    const page = await console.open()
    await page.goto(`${console.server.url}/docs/api#tag/users/GET/users/me`)
    await page.getByRole('button', { name: 'Test Request (get /users/me)' }).click()
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/users/me'))
    await page.getByRole('button', { name: 'Send Request' }).click()
    assert.equal((await (await sent).response())?.status(), 401)
  })
})
