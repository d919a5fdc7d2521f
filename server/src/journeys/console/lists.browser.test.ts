import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { keyboard } from '../../../test/console-hand.ts'
import { newHook, eventsOnce } from '../../../test/webhooks.ts'
import { foundCompany, signUp } from '../../../test/people.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'
import { answer, startReceiver } from '../../../test/receiver.ts'
import { type Mill, openMill } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { eventually } from '../../../test/eventually.ts'
import { makeOperatorIn } from '../../compose/commands.ts'
import { executeIn } from '../../../test/execute-in.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  environment: { MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8' },
  async prepare({ server }) {
    mill = await openMill(server, 'lister')
  },
})

const open = async (screen: string): Promise<Page> => {
  const page = await console.open()
  await console.signIn(page, { username: 'lister' }, screen)
  return page
}
const counted = (page: Page, text: string): Promise<void> =>
  page.getByRole('search').getByRole('status').getByText(text, { exact: true }).waitFor()
const search = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(words)
}
const choose = async (page: Page, chip: Locator, name: string): Promise<void> => {
  await keyboard.press(chip)
  const options = page.getByRole('menuitemradio')
  const option = options.and(page.getByRole('menuitemradio', { name, exact: true }))
  await option.waitFor()
  for (let keys = await options.count(); keys > 0; keys -= 1) {
    if ((await option.and(page.locator(':focus')).count()) > 0) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

describe('the list of mails', { skip }, () => {
  test('is paged, searched and filtered, shows each mail as it looks, and its state is a link, by keyboard alone', async () => {
    const company = mill.company.id
    const scopes = [{ resource: 'certificates', actions: ['notarize_one'] }]
    await mill.client.createMailHook({ company, body: { description: 'Sales', scopes } })
    await mill.notarize({ number: 'A-2026/0001' })
    await eventually(async () => {
      const [mail] = await mill.client.listMails({ company })
      return mail?.delivered
    })
    await executeIn(
      console.server,
      `insert into mails (id, event_id, mail_hook_id, company_id, mode, resource, action, recipient, sender, subject,
         text_content, html_content, attachment_name, delivered, delivery_error, created_at, updated_at)
       select gen_random_uuid(), event_id, mail_hook_id, company_id, mode, resource, action, 'buyer-' || n || '@customer.example',
         sender, subject, text_content, html_content, attachment_name, n > 2, case when n <= 2 then 'No such mailbox' end,
         created_at, updated_at
       from mails, generate_series(1, 59) n`,
    )
    const page = await open('/mails')
    await counted(page, '50 of 60')
    await keyboard.press(page.getByRole('button', { name: 'Show more' }))
    await counted(page, '60 of 60')

    await search(page, 'buyer-7@customer')
    await counted(page, '1 of 1')
    await page.waitForURL('**/mails?text=buyer-7%40customer')
    const mails = page.getByRole('table', { name: 'Mails of the past month' })
    const found = mails.getByRole('row', { name: /A-2026\/0001.*buyer-7@customer\.example.*Sent/ })
    await keyboard.press(found.getByRole('button', { name: /^Show/ }))
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'The mail' }).getByText('A-2026/0001').first().waitFor()
    await dialog.getByText('Attachments: ').waitFor()
    await page.keyboard.press('Escape')

    await keyboard.press(page.getByRole('button', { name: 'Clear all filters' }))
    await counted(page, '60 of 60')
    await choose(page, page.getByRole('button', { name: /^State/ }), 'Not sent')
    await counted(page, '2 of 2')
    await page.waitForURL('**/mails?outcome=unsent')
    await mails.getByText('No such mailbox').first().waitFor()
    assert.equal(await mails.getByRole('button', { name: /^Send again/ }).count(), 2)

    await page.goto(`${console.server.url}/console/mails?text=nobody-has-this`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    assert.equal(await page.getByRole('search').getByRole('status').textContent(), '')
    console.assertNoErrors()
  })
})

describe('the list of deliveries', { skip }, () => {
  test('is paged, searched and filtered, shows what was sent and answered, and its state is a link, by keyboard alone', async () => {
    const company = mill.company.id
    await using receiver = await startReceiver({ reaction: answer(500, {}, 'the queue is full') })
    const { id: hook } = await newHook(console.server, mill, {
      connectionUrl: receiver.url,
      scopes: [{ resource: 'certificates', actions: ['notarize_one', 'withdraw_one'] }],
    })
    const id = await mill.notarize({ number: 'D-2026/0001' })
    const body = { reason: 'Wrong heat' }
    await mill.client.withdrawCertificate({ company, params: { id }, body })
    await eventsOnce(console.server, mill, hook, (events) =>
      events.some(({ deliveryError }) => deliveryError !== undefined),
    )
    await executeIn(
      console.server,
      `with copies as (
         insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at, dispatched_at, published_at)
         select gen_random_uuid(), owner_kind, owner_id, mode, resource, action, payload, occurred_at, dispatched_at, published_at
         from outbox, generate_series(1, 58) n where about_id = '${id}' and action = 'notarize_one'
         returning *
       )
       insert into hook_events (id, event_id, hook_id, company_id, mode, resource, action, about_name, delivered, created_at, updated_at)
       select gen_random_uuid(), id, '${hook}', owner_id, mode, resource, action, 'D-2026/1' || lpad((row_number() over ())::text, 3, '0'), true, now(), now()
       from copies`,
    )
    const page = await open(`/webhooks/${hook}`)
    await counted(page, '50 of 60')
    await keyboard.press(page.getByRole('button', { name: 'Show more' }))
    await counted(page, '60 of 60')

    await search(page, 'd-2026/1007')
    await counted(page, '1 of 1')
    await page.waitForURL(`**/webhooks/${hook}?text=d-2026%2F1007`)
    const deliveries = page.getByRole('table', { name: 'Deliveries of the past month' })
    await deliveries.getByRole('row', { name: /was notarized D-2026\/1007.*Arrived/ }).waitFor()

    await keyboard.press(page.getByRole('button', { name: 'Clear all filters' }))
    await choose(page, page.getByRole('button', { name: /^State/ }), 'Not arrived')
    await counted(page, '2 of 2')
    await choose(page, page.getByRole('button', { name: /^Event/ }), 'A certificate was withdrawn')
    await counted(page, '1 of 1')
    await page.waitForURL(`**/webhooks/${hook}?outcome=missing&event=certificates%2Fwithdraw_one`)
    await keyboard.press(
      deliveries.getByRole('button', { name: 'Show: A certificate was withdrawn: D-2026/0001' }),
    )
    const dialog = page.getByRole('dialog')
    await keyboard.press(dialog.locator('summary', { hasText: /^What was sent$/ }))
    await dialog.getByText('Wrong heat').waitFor()
    await page.keyboard.press('Escape')

    await page.goto(`${console.server.url}/console/webhooks/${hook}?text=nobody-has-this`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    assert.equal(await page.getByRole('search').getByRole('status').textContent(), '')
    console.assertNoErrors()
  })
})

describe('the list of identities', { skip }, () => {
  test('is paged, searched by name and DID, and filtered, and its state is a link, by keyboard alone', async () => {
    const company = mill.company.id
    const { id, did } = mill.identity
    const body = { name: 'Plate mill 2' }
    await mill.client.updateIdentity({ company, query: { mode: 'test' }, params: { id }, body })
    await executeIn(
      console.server,
      `insert into identities (id, wallet_id, company_id, mode, coin_type, account, change, index, public_key, did, status,
         created_at, updated_at)
       select gen_random_uuid(), wallet_id, company_id, mode, coin_type, n % 3, 0, 1000 + n, public_key || n, did || n,
         case when n = 1 then 'obsolete' else 'valid' end, created_at, updated_at
       from identities, generate_series(1, 109) n where id = '${id}'`,
    )
    const page = await open('/keys')
    await counted(page, '100 of 110')
    await keyboard.press(page.getByRole('button', { name: 'Show more' }))
    await counted(page, '110 of 110')

    await search(page, 'LATE mill')
    await counted(page, '1 of 1')
    await page.waitForURL('**/keys?text=LATE+mill')
    await page.getByText('Department 0').waitFor()
    await page.getByRole('link', { name: 'Identity Plate mill 2' }).waitFor()
    await page.goto(`${console.server.url}/console/keys?text=${did}109`)
    await counted(page, '1 of 1')
    await keyboard.press(page.getByRole('button', { name: 'Clear all filters' }))
    await counted(page, '100 of 110')
    await choose(page, page.getByRole('button', { name: /^State/ }), 'Obsolete')
    await counted(page, '1 of 1')
    await search(page, 'nobody has this')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.waitForURL('**/keys?status=obsolete&text=nobody+has+this')
    console.assertNoErrors()
  })
})

describe('the dialog of a new identity', { skip }, () => {
  test('stays open, with what was typed, while the first identities arrive', async () => {
    const person = await signUp(console.server, 'starter')
    const company = (await foundCompany(console.server, person)).id
    const client = console.server.client(person.accessToken)
    await client.createWallet({ company, query: { mode: 'test' }, body: {} })
    const page = await console.open()
    const answers = Promise.withResolvers<void>()
    await page.route('**/api/identities?**', async (route) => {
      await answers.promise
      await route.continue()
    })
    await console.signIn(page, person, '/keys')
    await page.getByRole('button', { name: 'New identity' }).click()
    await page.getByLabel('Name').fill('Plate mill 2')
    answers.resolve()
    await page.getByRole('heading', { name: 'No identity yet', includeHidden: true }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Plate mill 2')
    await page.getByRole('dialog').getByRole('button', { name: 'New identity' }).click()
    await page.getByRole('link', { name: /^Identity Plate mill 2/ }).waitFor()
    console.assertNoErrors()
  })
})

const newOperator = async (server: TestServer) => {
  const { username, password } = await makeOperatorIn(server.config, { email: 'operator@example.com' })
  return { username, password: password?.reveal() ?? assert.fail() }
}

describe('the list of saved mails', { skip }, () => {
  test('finds a mail by its receiver and shows it as it looks without its token, by keyboard alone', async () => {
    const operator = await newOperator(console.server)
    const { email } = await signUp(console.server, 'newcomer')
    await console.server.mailsTo(email, 1)
    const page = await console.open()
    await console.signIn(page, operator, '/start')
    await keyboard.press(page.getByRole('link', { name: 'Saved mails' }))
    await search(page, 'NEWCOMER confirm')
    await counted(page, '1 of 1')
    await page.waitForURL('**/operator/mails?text=NEWCOMER+confirm')
    const mail = page.getByRole('row', { name: /^Confirm your e-mail address newcomer@example\.com/ })
    await keyboard.press(mail.getByRole('button', { name: /^Show/ }))
    const shown = page.getByRole('dialog').getByRole('region', { name: 'The mail' })
    const link = shown.getByRole('link', { name: /confirm/i }).first()
    assert.match((await link.getAttribute('href')) ?? '', /token=\[hidden\]/)
    await page.emulateMedia({ colorScheme: 'dark' })
    const ink = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('dialog .paper').shadowRoot.querySelector('p')).color",
    )
    const channels = (ink.match(/\d+/g) ?? []).map(Number)
    assert.ok(
      channels.every((channel) => channel < 100),
      `${ink} on white paper, in the dark`,
    )
    console.assertNoErrors()
  })

  test('is not offered by an installation with a mail server, and its address says why', async () => {
    await using other = await startOwnServer({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const page = await console.open()
    await console.signIn(page, await newOperator(other), '/operator/mails', other.url)
    await page.getByRole('heading', { name: 'Mails are not saved here' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Saved mails' }).count(), 0)
    console.assertNoErrors()
  })
})
