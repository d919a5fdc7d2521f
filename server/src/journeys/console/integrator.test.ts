import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Console,
  lacksChromium,
  startConsole,
} from '../../../test/console.ts'
import { foundCompany, type Person, signUp } from '../../../test/people.ts'
import { answer, startReceiver, type Receiver } from '../../../test/receiver.ts'

const run = promisify(execFile)
const skip = await lacksChromium()
let console: Console
let integrator: Person
let company: string
let receiver: Receiver

before(async () => {
  if (skip !== false) return
  console = await startConsole({ environment: { MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8' } })
  integrator = await signUp(console.server, 'integrator')
  company = (await foundCompany(console.server, integrator)).id
  receiver = await startReceiver()
})
after(async () => {
  if (skip !== false) return
  await receiver[Symbol.asyncDispose]()
  await console[Symbol.asyncDispose]()
})

/** The text beside the label of a fact. */
const fact = (page: Page, label: string): Promise<string> =>
  page.locator('.facts > div', { hasText: label }).locator('.mono').first().innerText()

/** Runs a line that the page offers, in a shell. */
const runLine = async (line: string): Promise<unknown> => {
  const { stdout } = await run('sh', ['-c', line.replace(/^curl/, 'curl -s')])
  return JSON.parse(stdout)
}

const open = async (screen: string): Promise<Page> => {
  const page = await console.open({ permissions: ['clipboard-read', 'clipboard-write'] })
  await console.signIn(page, { username: integrator.username }, screen)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const copied = async (page: Page, button: Locator): Promise<string> => {
  await button.click()
  return await page.evaluate('navigator.clipboard.readText()')
}

describe('an integrator', { skip }, () => {
  test('copies the constants and a line for the shell, which works as it is', async () => {
    const page = await open('/automation')
    assert.equal(await fact(page, 'Company id'), company)
    const line = await copied(page, page.getByRole('button', { name: 'Copy: Try it in a shell' }))
    assert.deepEqual(await runLine(line), [])
    const token = await copied(page, page.getByRole('button', { name: 'Copy: Access token of this session' }))
    const { id } = await console.server.client(token).readMe()
    assert.equal(id, integrator.id)
    console.assertNoErrors()
  })

  test('makes an application, whose secret is shown once and gets a token that may do what was chosen', async () => {
    const page = await open('/automation')
    await page.getByRole('button', { name: 'Add an application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('ERP')
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'shown only now' })
    const line = await copied(page, notice.getByRole('button', { name: 'Copy: Get a token with it' }))
    const { accessToken } = (await runLine(line)) as { accessToken: string }
    const machine = console.server.client(accessToken)
    assert.deepEqual(await machine.listCertificates({ query: { mode: 'test' } }), [])
    await assert.rejects(machine.listHooks(), { status: 403 })
    await page.reload()
    await page.getByText('ERP', { exact: true }).waitFor()
    assert.equal(await page.getByText('shown only now').count(), 0)
    console.assertNoErrors()
  })

  test('tries a webhook before saving it, breaks the receiver, sees why, mends it and sends again', async () => {
    receiver.react(answer(200, {}, 'thanks'))
    const page = await open('/webhooks')
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('ERP system')
    await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It works.').waitFor()
    assert.equal(receiver.received.at(-1)?.headers['event-action'], 'test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The secret is shown only now').waitFor()

    receiver.react(answer(500, {}, 'the queue is full'))
    await page.getByRole('button', { name: 'Send a test' }).click()
    const failed = page.getByRole('listitem').filter({ hasText: 'hooks/test' })
    await failed.getByText('Fails').waitFor()
    await failed.getByText('Attempts').click()
    await failed
      .locator('summary', { hasText: /^Answer$/ })
      .first()
      .click()
    await failed.getByText('the queue is full').first().waitFor()

    receiver.react(answer(204))
    const before = receiver.received.length
    await failed.getByRole('button', { name: 'Send again' }).click()
    await failed.getByText('Arrived').waitFor()
    assert.ok(receiver.received.length > before)
    console.assertNoErrors()
  })

  test('hears of what happens now', async () => {
    const page = await open('/events')
    await page.getByText('Listening').waitFor()
    await console.server.client(integrator.accessToken).createApplication({
      company,
      body: { name: 'Laboratory', mode: 'test', scopes: { certificates: { actions: ['read_one'] } } },
    })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'applications/create_one' })
      .getByText('Laboratory', { exact: true })
      .waitFor()
    console.assertNoErrors()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has screens for everybody, ${colorScheme}`, async () => {
      const page = await console.open({ colorScheme })
      await console.signIn(page, { username: integrator.username }, '/automation')
      for (const screen of ['automation', 'webhooks', 'webhooks/new', 'events', 'mails']) {
        await page.goto(`${console.server.url}/console/${screen}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          await assertNoSidewaysScroll(page)
          await assertAccessible(page)
        }
      }
      console.assertNoErrors()
    })
})
