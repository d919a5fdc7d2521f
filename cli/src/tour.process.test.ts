import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { codeOf } from './demo/totp.ts'
import { millseal, serve, temporaryFolder } from '../test/millseal.ts'

type Login = {
  readonly role: string
  readonly username: string
  readonly password: string
  readonly secret?: string
}
type Tour = { readonly certificates: number; readonly logins: readonly Login[] }

const opened = new AsyncDisposableStack()
let server: Awaited<ReturnType<typeof serve>>
let tour: Tour

before(async () => {
  server = opened.use(await serve(opened.use(await temporaryFolder()).path, { MILLSEAL_RATE_LIMIT: '0' }))
  const ran = await millseal(['demo', '--tour', '--json'], { environment: server.environment })
  assert.equal(ran.status, 0, ran.stderr)
  tour = JSON.parse(ran.stdout) as Tour
})
after(() => opened.disposeAsync())

/** Signs in with what the command printed. */
const signIn = async (role: string) => {
  const { username, password, secret } = tour.logins.find((login) => login.role === role) ?? {}
  assert.ok(username !== undefined && password !== undefined)
  const baseUrl = server.environment['MILLSEAL_SERVER'] ?? ''
  // Each code is good once, and the tour used one moments ago.
  const code = secret === undefined ? undefined : codeOf(secret, Date.now() + 30_000)
  const { accessToken } = await createClient({ baseUrl }).login({ body: { username, password, code } })
  const client = createClient({ baseUrl, accessToken })
  const { companies, assignedCompanies } = await client.readMe()
  const mill = [...companies, ...assignedCompanies].find(({ name }) => name.startsWith('Demo Rolling Mill'))
  return { client, company: mill?.id ?? '' }
}

describe('the tour of the demo', () => {
  test('leaves certificates of every family in both modes, some withdrawn and replaced', async () => {
    const { client, company } = await signIn('manager')
    const [inTest, live] = await Promise.all(
      (['test', 'live'] as const).map((mode) => client.listCertificates({ company, query: { mode } })),
    )
    assert.equal((inTest?.length ?? 0) + (live?.length ?? 0), tour.certificates)
    assert.equal(live?.filter(({ withdrawn }) => withdrawn).length, 3)
    assert.equal(live?.filter(({ replacedBy }) => replacedBy !== undefined).length, 2)
    const families = new Set(live?.map(({ refSchemaUrl }) => refSchemaUrl.split('/')[3]))
    assert.equal(families.size, 5)
    const identities = await client.listIdentities({ company, query: { mode: 'live' } })
    assert.deepEqual(
      identities.map(({ name }) => name),
      ['Plate mill', 'Steel works'],
    )
  })

  test('leaves members, a company to review and a delivery that failed', async () => {
    const { client, company } = await signIn('clerk')
    const members = await client.listMembers({ params: { id: company } })
    assert.deepEqual(members.map(({ role }) => role).toSorted(), ['admin', 'clerk'])
    const events = await client.listEvents({ company, query: { delivered: false } })
    assert.ok(events.some(({ deliveryError }) => deliveryError !== undefined))
  })

  test('leaves mails in the language in which the tour is printed', async () => {
    const { client, company } = await signIn('clerk')
    const mails = await client.listMails({ company })
    assert.ok(mails.length > 0)
    for (const { subject } of mails) assert.match(subject, /^(?:\[TEST\] )?A certificate /)
  })
})
