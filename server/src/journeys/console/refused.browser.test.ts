import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { fillScreens, type Places } from '../../../test/console-screens.ts'
import { watchCalls } from '../../../test/console-faults.ts'
import { type Hand, keyboard, mouse } from '../../../test/console-hand.ts'
import { openMill } from '../../../test/console-mill.ts'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { newLiveOwner } from '../../../test/machines.ts'
import { enableMfa, signUp } from '../../../test/people.ts'

type Offer = {
  readonly screen: string
  /** The titles of the buttons and links that lead to the call. */
  readonly offers: readonly string[]
  /** A call that they make. */
  readonly call: readonly [method: string, path: string, body?: object]
}

const skip = lacksChromium()
let console: Console
let places: Places
let live: string
let nextCode: () => string

before(async () => {
  if (skip !== false) return
  console = await startConsole()
  places = (await fillScreens(console.server)).places
  await openMill(console.server, 'stranger')
  const { admin, company } = await newLiveOwner(console.server, 'live-admin')
  live = company.id
  const members = console.server.client(admin.accessToken)
  for (const username of ['coded', 'codeless']) {
    const person = await signUp(console.server, username)
    await members.addMember({ params: { id: live }, body: { email: person.email, role: 'admin' } })
    if (username === 'coded') nextCode = await enableMfa(console.server, person)
  }
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

const notarizing = (identity: string, mode: string): Offer['call'] => [
  'POST',
  `/certificates/notarize?mode=${mode}&identity=${identity}`,
  {},
]

const ofMembers = ({ certificate, company, identity, webhook }: Places): readonly Offer[] => [
  { screen: '/certificates', offers: ['New certificate'], call: notarizing(identity, 'test') },
  { screen: '/new', offers: ['Choose files', 'Paste JSON'], call: notarizing(identity, 'test') },
  {
    screen: '/new/form?family=en10168&version=1.0.0',
    offers: ['Notarize'],
    call: notarizing(identity, 'test'),
  },
  {
    screen: `/certificates/${certificate}`,
    offers: ['Withdraw', 'Replace', 'Use as a template'],
    call: ['POST', `/certificates/${certificate}/withdraw`, { reason: 'None' }],
  },
  {
    screen: '/keys',
    offers: ['Back up now', 'New identity', 'Recover', 'Rename'],
    call: ['POST', '/wallets?mode=test', {}],
  },
  {
    screen: `/keys/${identity}`,
    offers: ['Revoke'],
    call: ['POST', `/identities/${identity}/revoke?mode=test`, { reason: 'superseded' }],
  },
  {
    screen: '/automation',
    offers: ['Add an application', 'New secret'],
    call: ['POST', '/applications', { name: 'ERP', mode: 'test', scopes: {} }],
  },
  {
    screen: '/webhooks',
    offers: ['Add a webhook'],
    call: [
      'POST',
      '/hooks',
      {
        name: 'ERP',
        connectionUrl: 'https://erp.example',
        scopes: [{ resource: 'certificates', actions: ['notarize_one'] }],
      },
    ],
  },
  {
    screen: `/webhooks/${webhook}`,
    offers: ['Send a test', 'New secret'],
    call: ['DELETE', `/hooks/${webhook}`],
  },
  {
    screen: '/mails',
    offers: ['Add a mail hook'],
    call: [
      'POST',
      '/mailhooks',
      { description: 'Sales', scopes: [{ resource: 'certificates', actions: ['notarize_one'] }] },
    ],
  },
  { screen: '/company', offers: ['Save'], call: ['PATCH', `/companies/${company}`, { name: 'Other' }] },
  {
    screen: '/company?part=looks',
    offers: ['Save the look'],
    call: ['PUT', `/companies/${company}/look`, {}],
  },
  {
    screen: '/members',
    offers: ['Invite a member'],
    call: ['POST', `/companies/${company}/invitations`, { email: 'a@b.example', role: 'admin' }],
  },
]

const ofOperators = ({ waiting }: Places): readonly Offer[] => [
  {
    screen: `/operator/reviews/${waiting}`,
    offers: [],
    call: ['POST', `/companies/${waiting}/review`, { decision: 'verified' }],
  },
  {
    screen: '/operator/networks',
    offers: [],
    call: ['DELETE', `/nodes/${waiting}?mode=test`],
  },
  { screen: '/operator/schemas', offers: ['Choose an archive'], call: ['POST', '/certificates/packs'] },
  { screen: '/operator/users', offers: [], call: ['GET', '/users'] },
  { screen: '/operator/companies', offers: [], call: ['GET', '/companies/review-queue'] },
  { screen: '/operator/mails', offers: [], call: ['GET', '/mail-folder'] },
  { screen: '/operator/health', offers: [], call: ['GET', '/status'] },
  { screen: '/operator/audit', offers: [], call: ['GET', '/audit'] },
]

/** What needs a second factor in live mode. */
const ofLiveMode = ({ identity }: Places): readonly Offer[] => [
  { screen: '/new', offers: ['Choose files'], call: notarizing(identity, 'live') },
  { screen: '/keys', offers: ['Create the wallet'], call: ['POST', '/wallets?mode=live', {}] },
  {
    screen: '/automation',
    offers: ['Add an application'],
    call: ['POST', '/applications', { name: 'ERP', mode: 'live', scopes: {} }],
  },
]

const open = async (page: Page, address: string, hand: Hand = mouse): Promise<void> => {
  const link = page.getByRole('navigation').locator(`a[href^="/console${address}"]`).first()
  if (hand === keyboard && (await link.count()) > 0) {
    await hand.press(link)
    await page.waitForURL(`**/console${address}**`)
  } else await page.goto(`${console.server.url}/console${address}`)
  await page.locator('h1').first().waitFor()
}

const offered = (page: Page, name: string): Locator =>
  page
    .locator('main')
    .locator('button, a')
    .filter({ hasText: new RegExp(`^${name}$`) })

const refusedWith = async (
  page: Page,
  company: string,
  [method, path, body]: Offer['call'],
): Promise<number> =>
  page.evaluate<number>(`fetch(${JSON.stringify(`/api${path}`)}, {
    method: ${JSON.stringify(method)},
    headers: { 'content-type': 'application/json', 'x-millseal-console': '1', company: ${JSON.stringify(company)} },
    ${body === undefined ? '' : `body: ${JSON.stringify(JSON.stringify(body))},`}
  }).then((response) => response.arrayBuffer().then(() => response.status))`)

/** The offers that a person sees, and the answers to the calls. */
const seenBy = async (
  page: Page,
  given: {
    readonly offers: readonly Offer[]
    readonly company: string
    readonly search?: string
    readonly hand?: Hand
  },
) => {
  const seen: string[] = []
  const answers: string[] = []
  const isDrawn = watchCalls(page)
  for (const { screen, offers, call } of given.offers) {
    await open(page, `${screen}${given.search ?? ''}`, given.hand)
    await isDrawn()
    for (const name of offers) if ((await offered(page, name).count()) > 0) seen.push(`${screen}: ${name}`)
    answers.push(`${screen}: ${await refusedWith(page, given.company, call)}`)
  }
  return { seen, answers }
}

const refused = (offers: readonly Offer[], status: number): readonly string[] =>
  offers.map(({ screen }) => `${screen}: ${status}`)

describe('no button is shown that would be refused, and the refused call is refused', { skip }, () => {
  test('an admin and operator sees all of them', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'everything' })
    for (const { screen, offers } of [...ofMembers(places), ...ofOperators(places)]) {
      await open(page, screen)
      for (const name of offers) await offered(page, name).first().waitFor()
    }
    console.assertNoErrors()
  })

  test('a reader who goes from screen to screen by keyboard alone sees none', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'reader' })
    const offers = [...ofMembers(places), ...ofOperators(places)]
    const { seen, answers } = await seenBy(page, { offers, company: places.company, hand: keyboard })
    assert.deepEqual(seen, [])
    assert.deepEqual(answers, refused(offers, 403))
    console.assertNoErrors()
  })

  test('an admin of another company sees none at the addresses of this one', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'stranger' })
    const named = ofMembers(places).filter(({ screen }) => /[0-9a-f-]{36}/.test(screen))
    const offers = [...named, ...ofOperators(places)]
    const { seen, answers } = await seenBy(page, { offers, company: places.company })
    assert.deepEqual(seen, [])
    for (const answer of answers) assert.match(answer, /: 40[34]$/)
    // With the company in the address, the screens are those of the own company, and calls for the other are refused.
    for (const { screen, call } of ofMembers(places))
      assert.match(`${screen}: ${await refusedWith(page, places.company, call)}`, /: 40[34]$/)
    // The page of the error says it too.
    console.assertNoErrors(/The resource does not exist/)
  })

  test('an admin without a second factor sees none in live mode, and one with it sees all', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'codeless' }, '/start?mode=live')
    const given = { offers: ofLiveMode(places), company: live, search: '?mode=live' }
    const { seen, answers } = await seenBy(page, given)
    assert.deepEqual(seen, [])
    assert.deepEqual(answers, refused(given.offers, 403))
    const other = await console.open()
    await console.signIn(other, { username: 'coded', code: nextCode }, '/start?mode=live')
    for (const { screen, offers } of given.offers) {
      await open(other, `${screen}?mode=live`)
      for (const name of offers) await offered(other, name).first().waitFor()
    }
    console.assertNoErrors()
  })
})
