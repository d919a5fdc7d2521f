import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { sampleCertificate } from '../../../test/certificates.ts'
import { keyboard, mouse } from '../../../test/console-hand.ts'
import { eventually } from '../../../test/eventually.ts'
import { installNodeRed, lacksNodeRed, startNodeRed } from '../../../test/node-red.ts'
import { millFlow } from '../../../test/node-red-flow.ts'
import { foundCompany, password, type Person, signUp } from '../../../test/people.ts'
import { answer, startReceiver, type Receiver } from '../../../test/receiver.ts'
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts'

const run = promisify(execFile)
const skip = lacksChromium()
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
    await page.getByRole('button', { name: 'Get an access token' }).click()
    const line = await copied(page, page.getByRole('button', { name: 'Copy: Try it in a shell' }))
    assert.deepEqual(await runLine(line), [])
    const token = await copied(page, page.getByRole('button', { name: 'Copy: Access token of this session' }))
    const { id } = await console.server.client(token).readMe()
    assert.equal(id, integrator.id)
    console.assertNoErrors()
  })

  for (const hand of [mouse, keyboard])
    test(`makes an application, whose secret is shown once and gets a token that may do what was chosen: ${hand.name}`, async () => {
      const page = await open('/automation')
      const name = `ERP by ${hand.name}`
      await hand.press(page.getByRole('button', { name: 'Add an application' }))
      await hand.write(page.getByRole('textbox', { name: 'Name' }), name)
      await hand.press(page.getByRole('button', { name: 'Save' }))
      const notice = page.getByRole('status').filter({ hasText: 'shown only now' })
      await hand.press(notice.getByRole('button', { name: 'Copy: Get a token with it' }))
      const line = await page.evaluate<string>('navigator.clipboard.readText()')
      const { accessToken } = (await runLine(line)) as { accessToken: string }
      const machine = console.server.client(accessToken)
      assert.deepEqual(await machine.listCertificates({ query: { mode: 'test' } }), [])
      await assert.rejects(machine.listHooks(), { status: 403 })
      await page.reload()
      await page.getByText(name, { exact: true }).waitFor()
      assert.equal(await page.getByText('shown only now').count(), 0)
      console.assertNoErrors()
    })

  for (const hand of [mouse, keyboard])
    test(`tries a webhook before saving it, breaks the receiver, sees why, mends it and sends again: ${hand.name}`, async () => {
      receiver.react(answer(200, {}, 'thanks'))
      const page = await open('/webhooks')
      await hand.press(page.getByRole('link', { name: 'Add a webhook' }).first())
      await hand.write(page.getByRole('textbox', { name: 'Name' }), `ERP system by ${hand.name}`)
      await hand.write(page.getByRole('textbox', { name: 'Address' }), receiver.url)
      await hand.press(page.getByRole('button', { name: 'Send a test' }))
      await page.getByText('It works.').waitFor()
      assert.equal(receiver.received.at(-1)?.headers['event-action'], 'test')
      await hand.press(page.getByRole('button', { name: 'Save' }))
      await page.getByText('The secret is shown only now').waitFor()

      receiver.react(answer(500, {}, 'the queue is full'))
      await hand.press(page.getByRole('button', { name: 'Send a test' }))
      const failed = page.getByRole('row', { name: /^Test event/ })
      await failed.getByText('Fails').waitFor()
      await hand.press(failed.getByRole('button', { name: /^Show/ }))
      const dialog = page.getByRole('dialog')
      await hand.press(dialog.locator('summary', { hasText: /^Answer$/ }).first())
      await dialog.getByText('the queue is full').first().waitFor()
      await page.keyboard.press('Escape')

      receiver.react(answer(204))
      const earlier = receiver.received.length
      await hand.press(failed.getByRole('button', { name: /^Send again/ }))
      await failed.getByText('Arrived').waitFor()
      assert.ok(receiver.received.length > earlier)
      console.assertNoErrors()
    })

  test('connects a flow of Node-RED, which notarizes, hears of it over MQTT and receives webhooks', {
    skip: lacksNodeRed(),
  }, async (t) => {
    await using folder = await makeTemporaryFolder()
    const installed = await installNodeRed()
    if (installed === undefined) return t.skip('Node-RED could not be installed from npm')
    const client = console.server.client(integrator.accessToken)
    const inTest = { company, query: { mode: 'test' } } as const
    const wallet = await client.createWallet({ ...inTest, body: {} })
    await client.createIdentity({ ...inTest, body: { coinType: 822, account: 0, wallet: wallet.id } })
    const page = await open('/automation')
    await page.getByRole('button', { name: 'Add an application' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Node-RED')
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'shown only now' })
    const own = page.getByRole('listitem').filter({ hasText: 'Node-RED' })
    const environment = {
      MILLSEAL_URL: await fact(page, 'Host of the API'),
      IDENTITY: await fact(page, 'Identity ids'),
      CLIENT_ID: await copied(page, own.getByRole('button', { name: 'Copy: Client id' })),
      CLIENT_SECRET: await copied(page, notice.getByRole('button', { name: 'Copy: Client secret' })),
    }
    await using flow = await startNodeRed(folder.path, { installed, flow: millFlow, environment })
    const post = (path: string, body: object) =>
      fetch(`${flow.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    const certificate = sampleCertificate({ number: 'FLOW-1' })
    const notarized = await eventually(
      async () => {
        const response = await post('/certificates', certificate)
        return response.status === 201 ? response.json() : undefined
      },
      { what: 'the flow has a token and notarizes' },
    )
    assert.ok('hash' in (notarized as object))
    const heard = await eventually(
      async () =>
        ((await (await fetch(`${flow.url}/heard`)).json()) as { topic: string; payload: object }[])[0],
      { what: 'the flow hears of the notarization' },
    )
    assert.equal(heard.topic, `company/${company}/test/certificates/notarize_one`)
    assert.deepEqual(heard.payload, certificate)

    await post('/queue', { isFull: true })
    await page.goto(`${console.server.url}/console/webhooks`)
    await page.getByRole('link', { name: 'Add a webhook' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Flow')
    await page.getByRole('textbox', { name: 'Address' }).fill(`${flow.url}/webhook`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The secret is shown only now').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const failed = page.getByRole('row', { name: /^Test event/ })
    await failed.getByText('Fails').waitFor()
    await failed.getByRole('button', { name: /^Show/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .locator('summary', { hasText: /^Answer$/ })
      .first()
      .click()
    await dialog.getByText('the queue is full').first().waitFor()
    await page.keyboard.press('Escape')
    await post('/queue', { isFull: false })
    await failed.getByRole('button', { name: /^Send again/ }).click()
    await failed.getByText('Arrived').waitFor()
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

  test('an hour after signing in still has both screens, and signs in again only for a token', async () => {
    const page = await open('/start')
    const signInAgain = async () => {
      const popup = page.waitForEvent('popup')
      await page.getByRole('button', { name: 'Sign in again' }).click()
      const opened = await popup
      const closed = opened.waitForEvent('close')
      await opened.locator('input[name=login]').fill(integrator.username)
      await opened.locator('input[type=password]').fill(password)
      await opened.locator('form button').first().click()
      await closed
    }
    console.server.clock.advance({ minutes: 60 })
    await page.goto(`${console.server.url}/console/automation`)
    assert.equal(await fact(page, 'User id'), integrator.id)
    await page.getByRole('button', { name: 'Add an application' }).waitFor()
    await page.getByRole('button', { name: 'Get an access token' }).click()
    await signInAgain()
    await page.getByRole('button', { name: 'Copy: Access token of this session' }).waitFor()

    console.server.clock.advance({ minutes: 60 })
    await page.goto(`${console.server.url}/console/events`)
    await page.getByText('Listening').waitFor()
    console.assertNoErrors()
  })
})
