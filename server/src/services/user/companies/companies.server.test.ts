import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import {
  foundCompany,
  type Person,
  password,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../../../test/people.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let founder: Person
before(async () => {
  server = await startOwnServer()
  founder = await signUp(server, 'founder')
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)
const signInAgain = async ({ username, id, email }: Person): Promise<Person> => ({
  ...(await server.client().login({ body: { username, password } })),
  id,
  username,
  email,
})
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

describe('creating a company', () => {
  test('makes the caller its owner and only admin, leaves it unverified, and writes an audit entry', async () => {
    const company = await foundCompany(server, founder, { name: 'Ingots Ltd' })
    assert.equal(company.name, 'Ingots Ltd')
    assert.equal(company.verified, false)
    assert.equal(company.owner.id, founder.id)
    assert.deepEqual(company.members, [])
    assert.deepEqual(company.address, { ...company.address, ...address })
    assert.deepEqual(await as(founder).readCompany({ params: { id: company.id } }), company)
    const [member, ...others] = await as(founder).listMembers({ params: { id: company.id } })
    assert.equal(member?.user.id, founder.id)
    assert.equal(member.role, 'admin')
    assert.deepEqual(others, [])
    const me = await as(founder).readMe()
    assert.ok(me.companies.some(({ id }) => id === company.id))
    assert.deepEqual(
      (await auditOf(server, company.id)).map(({ actor, action }) => [actor, action]),
      [[`user:${founder.id}`, 'companies.create']],
    )
  })

  test('stores VAT ids in one spelling', async () => {
    const spellings: [string, string, string][] = [
      ['atu 744.884-04', 'ATU74488404', 'AT'],
      ['GR 094014201', 'EL094014201', 'GR'],
      ['be 0428.759.497', 'BE0428759497', 'BE'],
    ]
    for (const [written, vatId, country] of spellings) {
      const body = { name: 'Spelled Ltd', vatId: written, address: { ...address, country } }
      const company = await as(founder).createCompany({ body })
      assert.equal(company.vatId, vatId)
    }
  })

  test('rejects an impossible VAT id and gives the reason', async () => {
    const reasons: [string, RegExp][] = [
      ['ATU74488405', /check digits/],
      ['ATU7448840', /look like/],
      ['12345678', /letters of its country/],
      ['XX12345678', /unknown/],
      ['ATU00000000', /look like/],
    ]
    for (const [vatId, reason] of reasons) {
      const { status, answer } = await refusal(foundCompany(server, founder, { vatId }))
      assert.equal(status, 400, vatId)
      assert.match(answer?.message ?? '', /^The VAT id is not valid/)
      assert.match(answer?.details.join() ?? '', reason)
      assert.match(answer?.details.join() ?? '', /^\/vatId/)
    }
  })

  test('accepts any VAT id of a country without known rules', async () => {
    const body = { name: 'Faraway Ltd', vatId: 'us-12 3456789', address: { ...address, country: 'US' } }
    const company = await as(founder).createCompany({ body })
    assert.equal(company.vatId, 'US123456789')
  })

  test('accepts a VAT id once, in any spelling, also from concurrent calls', async () => {
    const vatId = freshVatId()
    const spelled = `${vatId.slice(0, 3).toLowerCase()} ${vatId.slice(3)}`
    const outcomes = await outcomesOf(
      [vatId, spelled, vatId, spelled].map((written) => foundCompany(server, founder, { vatId: written })),
    )
    assert.deepEqual(outcomes, { company_exists: 3, ok: 1 })
    await assertRefused(foundCompany(server, founder, { vatId }), 'company_exists')
  })

  test('creates one company per Idempotency-Key', async () => {
    const call = {
      body: { name: 'Once Ltd', vatId: freshVatId(), address },
      idempotencyKey: 'create-once-and-no-more',
    }
    const first = await as(founder).createCompany(call)
    assert.deepEqual(await as(founder).createCompany(call), first)
  })

  test('names every invalid field, but not to callers without a token', async () => {
    const body = {
      name: 'abc',
      vatId: 'A',
      address: { country: 'Austria', street: '', city: '', zipCode: '' },
    }
    const { status, answer } = await refusal(as(founder).createCompany({ body }))
    assert.equal(status, 400)
    for (const field of ['/name', '/vatId', '/address/country', '/address/street']) {
      assert.ok(
        answer?.details.some((line) => line.includes(field)),
        field,
      )
    }
    await assertRefused(server.client().createCompany({ body }), 'unauthenticated')
  })
})

describe('listing companies', () => {
  test('returns the caller’s companies, newest first, in pages, and filters by verification', async () => {
    const owner = await signUp(server, 'owner-of-three')
    const operator = await signUpOperator(server)
    const founded = []
    for (const name of ['First Ltd', 'Second Ltd', 'Third Ltd']) {
      founded.push(await foundCompany(server, owner, { name }))
    }
    const [first, second, third] = founded.map(({ id }) => id)
    await verifyCompany(server, operator, second ?? '')
    const ids = async (query: object) => (await as(owner).listCompanies({ query })).map(({ id }) => id)
    assert.deepEqual(await ids({}), [third, second, first])
    assert.deepEqual(await ids({ limit: 2 }), [third, second])
    assert.deepEqual(await ids({ limit: 2, after: second }), [first])
    assert.deepEqual(await ids({ verified: true }), [second])
    assert.deepEqual(await ids({ verified: false }), [third, first])
  })

  test('links each page to the next in the Link header', async () => {
    const owner = await signUp(server, 'owner-of-pages')
    for (const name of ['First Ltd', 'Second Ltd', 'Third Ltd']) await foundCompany(server, owner, { name })
    const names: string[] = []
    let next: URL | undefined = new URL(`${server.url}/api/companies?limit=2&verified=false`)
    while (next !== undefined) {
      const here: URL = next
      const response = await fetch(here, { headers: { authorization: `Bearer ${owner.accessToken}` } })
      names.push(...((await response.json()) as { name: string }[]).map(({ name }) => name))
      const link = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
      next = link === undefined ? undefined : new URL(link, here)
    }
    assert.deepEqual(names, ['Third Ltd', 'Second Ltd', 'First Ltd'])
  })

  test('returns the companies of all users to operators', async () => {
    const operator = await signUpOperator(server)
    const waiting = await foundCompany(server, founder)
    const reviewed = await foundCompany(server, founder)
    await verifyCompany(server, operator, reviewed.id)
    const queue = (await as(operator).listCompanies({ query: { verified: false, limit: 1000 } })).map(
      ({ id }) => id,
    )
    assert.ok(queue.includes(waiting.id))
    assert.ok(!queue.includes(reviewed.id))
    assert.equal((await as(operator).readCompany({ params: { id: waiting.id } })).id, waiting.id)
  })
})

describe('updating a company', () => {
  test('changes only the given fields, and writes events for the company and its members and an audit entry', async () => {
    const company = await foundCompany(server, founder)
    const changed = await as(founder).updateCompany({
      params: { id: company.id },
      body: {
        id: company.id,
        name: 'Renamed Ltd',
        websites: ['https://mill.example.com'],
        emails: ['office@mill.example.com'],
        accreditations: ['https://iso.example.com/9001'],
        address: { id: company.address.id, country: 'AT', street: 'Anvil Lane 2' },
      },
    })
    assert.equal(changed.name, 'Renamed Ltd')
    assert.equal(changed.address.street, 'Anvil Lane 2')
    assert.equal(changed.address.city, company.address.city)
    assert.deepEqual(changed.emails, ['office@mill.example.com'])
    assert.equal(changed.vatId, company.vatId)
    assert.deepEqual(await as(founder).readCompany({ params: { id: company.id } }), changed)

    const events = await eventsAbout(server, company.id)
    assert.deepEqual(
      events.map(({ topic }) => topic).toSorted(),
      [`company/${company.id}`, `user/${founder.id}`].map((owner) => `${owner}/live/companies/update_one`),
    )
    for (const { payload } of events) assert.deepEqual(payload, changed)
    const entry = (await auditOf(server, company.id)).at(-1)
    assert.equal(entry?.action, 'companies.update')
    const { before: was, after: is } = entry.details as { before: { name: string }; after: { name: string } }
    assert.deepEqual([was.name, is.name], ['Rolling Mill', 'Renamed Ltd'])
  })

  test('rejects an id that differs from the path or from the address', async () => {
    const company = await foundCompany(server, founder)
    const other = await foundCompany(server, founder)
    const change = (body: object) => as(founder).updateCompany({ params: { id: company.id }, body })
    await assertRefused(change({ id: other.id, name: 'Mismatch' }), 'id_mismatch')
    await assertRefused(change({ address: { id: other.address.id, city: 'Elsewhere' } }), 'id_mismatch')
  })

  test('never changes the VAT id or the country', async () => {
    const company = await foundCompany(server, founder)
    const params = { id: company.id }
    const withVatId = { name: 'Still The Same', vatId: freshVatId() }
    assert.equal((await as(founder).updateCompany({ params, body: withVatId })).vatId, company.vatId)
    const moved = await refusal(as(founder).updateCompany({ params, body: { address: { country: 'DE' } } }))
    assert.equal(moved.status, 400)
    assert.match(moved.answer?.details.join() ?? '', /\/address\/country/)
    assert.equal((await as(founder).readCompany({ params })).address.country, 'AT')
  })
})

describe('deleting a company', () => {
  test('requires a sign-in within the last 10 minutes', async () => {
    const owner = await signUp(server, 'late-deleter')
    const company = await foundCompany(server, owner)
    server.clock.advance({ minutes: 10, seconds: 1 })
    await assertRefused(as(owner).deleteCompany({ params: { id: company.id } }), 'step_up_required')
    const fresh = await signInAgain(owner)
    assert.equal(await as(fresh).deleteCompany({ params: { id: company.id } }), company.id)
  })

  test('returns the id as a JSON string, keeps only the audit log, and frees the VAT id', async () => {
    const owner = await signInAgain(founder)
    const company = await foundCompany(server, owner)
    const response = await fetch(`${server.url}/api/companies/${company.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.accessToken}` },
    })
    assert.equal(response.status, 200)
    assert.equal(await response.text(), JSON.stringify(company.id))
    await assertRefused(as(owner).readCompany({ params: { id: company.id } }), 'not_found')
    await assertRefused(as(owner).deleteCompany({ params: { id: company.id } }), 'not_found')
    const topics = (await eventsAbout(server, company.id)).map(({ topic }) => topic)
    assert.deepEqual(topics.toSorted(), [
      `company/${company.id}/live/companies/delete_one`,
      `user/${owner.id}/live/companies/delete_one`,
    ])
    assert.deepEqual(
      (await auditOf(server, company.id)).map(({ action }) => action),
      ['companies.create', 'companies.delete'],
    )
    assert.notEqual((await foundCompany(server, owner, { vatId: company.vatId })).id, company.id)
  })
})

test('listCountries returns country names by code', async () => {
  const fresh = await signInAgain(founder)
  const countries = await as(fresh).listCountries()
  assert.equal(countries['AT'], 'Austria')
  assert.equal(Object.keys(countries).length, 249)
  await assertRefused(server.client().listCountries(), 'unauthenticated')
})
