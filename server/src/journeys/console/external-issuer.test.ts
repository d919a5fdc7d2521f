import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { type OtherIssuer, startOtherIssuer } from '../../../test/other-issuer.ts'
import { freePort } from '../../../test/server-process.ts'
import { freshVatId } from '../../../test/vat-ids.ts'

const skip = await lacksChromium()
let issuer: OtherIssuer
let console: Console
before(async () => {
  if (skip !== false) return
  const url = `http://localhost:${await freePort()}`
  issuer = await startOtherIssuer(`${url}/auth/callback`)
  console = await startConsole({
    environment: {
      MILLSEAL_PORT: new URL(url).port,
      MILLSEAL_PUBLIC_URL: url,
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

/** Runs in the page, with the session of its browser. */
const create = (vatId: string): string => `fetch('/api/companies', {
  method: 'POST',
  headers: { 'x-millseal-console': '1', 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify({
    name: 'Rolling Mill',
    vatId: '${vatId}',
    address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
  }),
}).then(({ status }) => status)`

describe('a person of a company with its own identity provider', { skip }, () => {
  test('is redirected to it from the console, signs in there, and reads a token for a day in the automation constants', async () => {
    await issuer.know({ 'u-1': { email: 'anna@corp.example', email_verified: true } })
    const page = await console.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${console.server.url}/console/automation`)
    await page.waitForURL(`${issuer.issuer}/**`)
    await page.locator('input[name=login]').fill('u-1')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await page.locator('button[type=submit]').click()
    await page.waitForURL(`${console.server.url}/console/automation**`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const founded = await page.evaluate<number>(create(freshVatId()))
    assert.equal(founded, 201)
    await page.reload()
    await page.getByRole('button', { name: 'Get an access token' }).click()
    await page.getByRole('button', { name: 'Copy: Access token of this session' }).click()
    const token = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal((await console.server.client(token).readMe()).email, 'anna@corp.example')
    const { exp = 0 } = decodeJwt(token)
    const leftMs = exp * 1_000 - console.server.clock.now()
    assert.ok(leftMs > 86_300_000 && leftMs <= 86_400_000, String(leftMs))
    await page.getByText(/^Valid until .*It can do what you can do/).waitFor()
    console.assertNoErrors()
  })
})
