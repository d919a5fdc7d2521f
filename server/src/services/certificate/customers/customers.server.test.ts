import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Customer, type CustomerData, limits } from '@millseal/contract'
import { sql } from 'kysely'
import { assertNowhere } from '../../../../test/canaries.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { type Person, signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf } from '../../../../test/traces.ts'

let stack: AsyncDisposableStack
let server: TestServer
let database: Awaited<ReturnType<typeof openTestDatabase>>
let mill: Owner
before(async () => {
  stack = new AsyncDisposableStack()
  database = stack.use(await openTestDatabase())
  server = stack.use(await startOwnServer({ databaseUrl: addressOf(database) }))
  mill = await newOwner(server, 'mill-with-customers')
})
after(() => stack.disposeAsync())

const of = ({ company, admin }: Owner, accessToken = admin.accessToken) => {
  const client = server.client(accessToken)
  const named = (id: string) => ({ company: company.id, params: { id } })
  return {
    create: (body: CustomerData, idempotencyKey?: string) =>
      client.createCustomer({ company: company.id, body, ...(idempotencyKey && { idempotencyKey }) }),
    list: (query: { text?: string; limit?: number; after?: string } = {}) =>
      client.listCustomers({ company: company.id, query }),
    export: async (format: 'csv' | 'json') =>
      (await client.exportCustomers({ company: company.id, query: { format } })).text(),
    read: (id: string) => client.readCustomer(named(id)),
    update: (id: string, body: CustomerData) => client.updateCustomer({ ...named(id), body }),
    delete: (id: string) => client.deleteCustomer(named(id)),
  }
}

const bridge: CustomerData = {
  name: 'Brückenbau Süd GmbH',
  vatId: 'de 136 695 976',
  emails: ['quality@bridge-works.example', 'goods@bridge-works.example'],
  address: { street: 'Am Stahlhof 7', zipCode: '80331', city: 'München', country: 'DE' },
  language: 'de',
}

const namesOf = (customers: readonly Customer[]): readonly string[] => customers.map(({ name }) => name)

describe('the customers of a company', () => {
  test('are kept, read, changed and deleted, and each change is audited without their data', async () => {
    const owner = await newOwner(server, 'keeping-mill')
    const ours = of(owner)
    const { id, ...rest } = await ours.create(bridge)
    assert.deepEqual(rest, {})
    const { createdAt, updatedAt, ...read } = await ours.read(id)
    assert.deepEqual(read, { id, ...bridge, vatId: 'DE136695976' })
    assert.equal(createdAt, updatedAt)
    server.clock.advance({ seconds: 1 })
    const changed = await ours.update(id, { name: 'Brückenbau Nord GmbH' })
    assert.deepEqual(changed, {
      id,
      createdAt,
      updatedAt: changed.updatedAt,
      name: 'Brückenbau Nord GmbH',
      emails: [],
      address: {},
    })
    assert.notEqual(changed.updatedAt, updatedAt)
    assert.deepEqual(await ours.update(id, bridge), await ours.read(id))
    assert.deepEqual(await ours.delete(id.toUpperCase()), { id })
    await assertRefused(ours.read(id), 'not_found')
    await assertRefused(ours.update(id, bridge), 'not_found')
    await assertRefused(ours.delete(id), 'not_found')
    const entries = (await auditOf(server, owner.company.id)).filter(({ action }) =>
      action.startsWith('customers.'),
    )
    assert.deepEqual(
      entries.map(({ action, actor, details }) => [action, actor, details]),
      ['create', 'update', 'update', 'delete'].map((verb) => [
        `customers.${verb}`,
        `user:${owner.admin.id}`,
        {},
      ]),
    )
  })

  test('are found by words of name, VAT id, city and addresses, in the order of their names', async () => {
    const ours = of(await newOwner(server, 'finding-mill'))
    await ours.create({ name: 'zeta forge' })
    await ours.create(bridge)
    await ours.create({ name: 'Älpine Bridges', address: { city: 'Innsbruck' } })
    await ours.create({ name: 'Caster 10' })
    await ours.create({ name: 'Caster 9', emails: ['lab@innovation.example'] })
    const all = ['Älpine Bridges', 'Brückenbau Süd GmbH', 'Caster 9', 'Caster 10', 'zeta forge']
    assert.deepEqual(namesOf(await ours.list()), all)
    for (const [text, found] of [
      ['br', ['Älpine Bridges', 'Brückenbau Süd GmbH']],
      ['sud bruck', ['Brückenbau Süd GmbH']],
      ['bau', ['Brückenbau Süd GmbH']],
      ['de136695976', ['Brückenbau Süd GmbH']],
      ['munchen', ['Brückenbau Süd GmbH']],
      ['inn', ['Älpine Bridges', 'Caster 9']],
      ['goods@bridge-works', ['Brückenbau Süd GmbH']],
      ['a%', ['Älpine Bridges']],
    ] as const)
      assert.deepEqual(namesOf(await ours.list({ text })), found, text)
    const first = await ours.list({ limit: 3 })
    assert.deepEqual(namesOf(first), all.slice(0, 3))
    assert.deepEqual(namesOf(await ours.list({ limit: 3, after: first.at(-1)?.id ?? '' })), all.slice(3))
    await assertRefused(ours.list({ text: '--' }), 'validation_failed')
  })

  test('say on the first page how many there are', async () => {
    const owner = await newOwner(server, 'counting-mill')
    for (const name of ['One', 'Two', 'Two more']) await of(owner).create({ name })
    const ask = async (query: string) => {
      const { headers } = await fetch(`${server.url}/api/customers?${query}`, {
        headers: { authorization: `Bearer ${owner.admin.accessToken}`, company: owner.company.id },
      })
      return [headers.get('x-total-count'), headers.get('x-total-count-exact'), headers.has('link')]
    }
    assert.deepEqual(await ask('limit=2'), ['3', 'true', true])
    assert.deepEqual(await ask('text=two'), ['2', 'true', false])
  })

  test('are kept once if the same request is repeated', async () => {
    const ours = of(await newOwner(server, 'repeating-keeper'))
    const key = 'the-same-customer-again'
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ours.create(bridge, key)))
    assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1)
    assert.equal((await ours.list()).length, 1)
    await assertRefused(ours.create({ name: 'Another' }, key), 'idempotency_mismatch')
  })

  test('are refused with the name of the field if something is wrong or too long', async () => {
    const ours = of(mill)
    const refuse = async (data: object, field: RegExp) => {
      const body = { ...bridge, ...data } as CustomerData
      const { status, answer } = await refusal(ours.create(body))
      assert.ok(status === 400 || status === 422, `${status}`)
      assert.match(answer?.details.join() ?? '', field)
    }
    await refuse({ name: undefined }, /name/)
    await refuse({ name: '' }, /\/name/)
    await refuse({ name: '   ' }, /\/name/)
    await refuse({ name: 'a\u0000b' }, /\/name/)
    await refuse({ name: 'x'.repeat(201) }, /\/name/)
    await refuse({ vatId: 'DE136695977' }, /\/vatId: .*check digit/)
    await refuse({ vatId: 'ZZ1234' }, /\/vatId/)
    await refuse({ emails: ['nobody'] }, /\/emails\/0/)
    await refuse({ emails: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`) }, /\/emails/)
    await refuse({ address: { street: 'x'.repeat(201) } }, /\/address\/street/)
    await refuse({ address: { zipCode: 'x'.repeat(21) } }, /\/address\/zipCode/)
    await refuse({ address: { city: 'a\nb' } }, /\/address\/city/)
    await refuse({ address: { country: 'Germany' } }, /\/address\/country/)
    await refuse({ language: 'german' }, /\/language/)
    assert.deepEqual(await ours.list(), [])
  })

  test(`are at most ${limits.customersPerCompany}, also for requests at once`, async () => {
    const owner = await newOwner(server, 'mill-of-thousands')
    await sql`
      insert into customers (id, company_id, name, emails, words, created_at, updated_at)
      select gen_random_uuid(), ${owner.company.id}::uuid, 'Customer ' || n, '{}', 'customer ' || n, now(), now()
      from generate_series(2, ${limits.customersPerCompany}::int) n`.execute(database.query)
    const ours = of(owner)
    const outcomes = await outcomesOf([ours.create({ name: 'Last' }), ours.create({ name: 'Too many' })])
    assert.deepEqual(outcomes, { customer_limit_reached: 1, ok: 1 })
    const exported = JSON.parse(await ours.export('json')) as { customers: Customer[] }
    assert.equal(exported.customers.length, limits.customersPerCompany)
  })

  test('are exported as JSON and as CSV, with all that is stored', async () => {
    const ours = of(await newOwner(server, 'exporting-mill'))
    const { id } = await ours.create({ ...bridge, name: '=Brückenbau, "Süd"' })
    const stored = await ours.read(id)
    assert.deepEqual(JSON.parse(await ours.export('json')), { customers: [stored] })
    assert.deepEqual((await ours.export('csv')).split('\n'), [
      'id,name,vatId,emails,street,zipCode,city,country,language,createdAt,updatedAt',
      `${id},"'=Brückenbau, ""Süd""",DE136695976,quality@bridge-works.example goods@bridge-works.example,` +
        `Am Stahlhof 7,80331,München,DE,de,${stored.createdAt},${stored.updatedAt}`,
      '',
    ])
  })
})

describe('who may do what with customers', () => {
  const everyCall = (who: ReturnType<typeof of>, id: string) => ({
    reading: [() => who.list(), () => who.read(id), () => who.export('json')],
    changing: [() => who.create(bridge), () => who.update(id, bridge), () => who.delete(id)],
  })

  test('every member reads them; those who notarize change them', async () => {
    const owner = await newOwner(server, 'mill-of-roles')
    for (const role of ['admin', 'approver', 'clerk', 'operator', 'read_only'] as const) {
      const { id } = await of(owner).create(bridge)
      const member: Person = await signUp(server, `customers-${role.replace('_', '-')}`)
      await server.client(owner.admin.accessToken).addMember({
        params: { id: owner.company.id },
        body: { email: member.email, role },
      })
      const { reading, changing } = everyCall(of(owner, member.accessToken), id)
      for (const call of reading) await call()
      for (const call of changing)
        if (role === 'operator' || role === 'read_only') await assertRefused(call(), 'member_role_missing')
        else await call()
    }
  })

  test('an application needs the scope, which no other scope contains', async () => {
    const owner = await newOwner(server, 'mill-with-machines')
    const { id } = await of(owner).create(bridge)
    const machine = async (scopes: Record<string, { actions: string[] }>) =>
      everyCall(of(owner, await tokenOf(server, await newApplication(server, owner, { scopes }))), id)
    const company = await machine({ companies: { actions: ['*'] } })
    for (const call of [...company.reading, ...company.changing]) await assertRefused(call(), 'scope_missing')
    const reader = await machine({ customers: { actions: ['read_one', 'read_many'] } })
    for (const call of reader.reading) await call()
    for (const call of reader.changing) await assertRefused(call(), 'scope_missing')
    const writer = await machine({ customers: { actions: ['*'] } })
    for (const call of [...writer.reading, ...writer.changing]) await call()
  })

  test('another company neither sees nor changes them', async () => {
    const { id } = await of(mill).create(bridge)
    const other = await newOwner(server, 'curious-mill')
    const { reading, changing } = everyCall(of(mill, other.admin.accessToken), id)
    for (const call of [...reading, ...changing]) await assertRefused(call(), 'company_foreign')
    const theirs = of(other)
    await assertRefused(theirs.read(id), 'not_found')
    await assertRefused(theirs.update(id, bridge), 'not_found')
    await assertRefused(theirs.delete(id), 'not_found')
    assert.deepEqual(await theirs.list(), [])
    assert.deepEqual(await theirs.list({ after: id }), [])
    assert.equal((await of(mill).read(id)).name, bridge.name)
    await of(mill).delete(id)
  })
})

describe('the data of a customer is in no table', () => {
  const person = (nonce: string): CustomerData => ({
    name: `Canary ${nonce} Works`,
    vatId: `KY${nonce}12345`,
    emails: [`canary-${nonce}@erased.example`],
    address: { street: `${nonce} Canary Street`, zipCode: `Z-${nonce}-ZIP`, city: `Canary ${nonce} City` },
  })
  const secretsOf = ({ name, vatId = '', emails = [], address = {} }: CustomerData) =>
    [name, vatId, ...emails, ...Object.values(address)].map((text) => [text, text] as const)

  test('after it was deleted', async () => {
    const ours = of(await newOwner(server, 'erasing-mill'))
    const { id } = await ours.create(person('quartz'), 'kept-with-a-key-0001')
    await ours.update(id, person('basalt'))
    assert.throws(() => assertNowhere(secretsOf(person('basalt')), [['list', person('basalt').name]]))
    await ours.delete(id)
    const dump = await dumpOf(server)
    for (const nonce of ['quartz', 'basalt']) assertNowhere(secretsOf(person(nonce)), dump)
  })

  test('after its company was deleted', async () => {
    const owner = await newOwner(server, 'closing-mill')
    await of(owner).create(person('granite'), 'kept-with-a-key-0002')
    assert.match((await dumpOf(server)).get('public.customers') ?? '', /Canary granite Works/)
    await server.client(owner.admin.accessToken).deleteCompany({ params: { id: owner.company.id } })
    assertNowhere(secretsOf(person('granite')), await dumpOf(server))
  })
})
