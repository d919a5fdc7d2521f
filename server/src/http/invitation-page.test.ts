import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from '../../test/chromium.ts'
import { invitationLink } from '../../test/invitations.ts'
import { foundCompany, password, signUp } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

const executable = await findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false
let server: TestServer
let browser: Browser
before(async () => {
  server = await startTestServer()
  if (executable !== undefined) browser = await launchChromium(executable)
})
after(async () => {
  await browser?.close()
  await server[Symbol.asyncDispose]()
})

describe('the page of an invitation', () => {
  test('loads nothing from other origins and runs only its own script', async () => {
    const response = await fetch(`${server.url}/invitation`)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(
      await response.text(),
      /<input[^>]*name=/,
      'without the script, there is nothing to send',
    )
  })

  test('lets a person without an account join, and keeps the token out of the address', {
    skip,
  }, async () => {
    const owner = await signUp(server, 'page-owner')
    const company = await foundCompany(server, owner)
    const email = 'newcomer@customer.example'
    await server
      .client(owner.accessToken)
      .createInvitation({ params: { id: company.id }, body: { email, role: 'operator' } })
    const page = await browser.newPage()
    await page.goto((await invitationLink(server, email)).href)
    await page.getByText(`page-owner invites ${email} to ${company.name}`).waitFor()
    await page.getByText('has not reviewed this company').waitFor()
    assert.equal(new URL(page.url()).hash, '')
    await page.getByLabel('User name').fill('newcomer')
    await page.getByLabel('Password').fill('newcomer')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('must not be the username').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('You are a member now').waitFor()
    assert.ok(await server.client().login({ body: { username: 'newcomer', password } }))
    await page.goto('about:blank')
    await page.goto((await invitationLink(server, email)).href)
    await page.getByText('no longer valid').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Accept' }).isVisible(), false)
  })
})
