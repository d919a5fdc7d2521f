import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CreateHook, limits, type UpdateHook } from '@millseal/contract'
import { dumpOf } from '../../../../test/dump.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { answer, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'
import { newEventfulOwner, newHook, startWebhookServer } from '../../../../test/webhooks.ts'

let server: TestServer
let owner: Owner
let other: Owner
before(async () => {
  server = await startWebhookServer()
  owner = await newOwner(server, 'hooker')
  other = await newOwner(server, 'stranger')
})
after(() => server[Symbol.asyncDispose]())

const scopes = [{ resource: 'certificates', actions: ['notarize_one', 'receive_one'] }]
const body = { connectionUrl: 'https://example.com/hook', scopes } as const
const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const create = (asked: Partial<CreateHook> = {}) =>
  as(owner).createHook({ company: owner.company.id, body: { ...body, ...asked } })
const one = (id: string) => ({ params: { id }, company: owner.company.id })
const update = (id: string, asked: UpdateHook) => as(owner).updateHook({ ...one(id), body: asked })

describe('a webhook', () => {
  test('is created with a secret that is shown once, and is deleted completely: 201, 200, 404', async () => {
    const { secret, ...created } = await create({ name: 'ERP', description: 'All mills' })
    assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/)
    const { id, name, vatId } = owner.company
    const { createdAt, updatedAt, ...rest } = created
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(rest, {
      ...body,
      id: created.id,
      name: 'ERP',
      description: 'All mills',
      contentType: 'application/json',
      status: 'enabled',
      enableSSL: true,
      ordered: false,
      mode: 'all',
      headers: [],
      owner: { id, name, vatId },
    })
    assert.deepEqual(await as(owner).readHook(one(created.id)), { ...created, events: [] })
    const [listed] = await as(owner).listHooks({ company: id })
    assert.deepEqual(listed, { ...created, failedDeliveries: 0 })
    assert.deepEqual(await as(owner).deleteHook(one(created.id)), { id: created.id })
    await assertRefused(as(owner).readHook(one(created.id)), 'not_found')
  })

  test('is one of at most 100 of its company, also if they are created at once', async () => {
    const { admin, company } = await newOwner(server, 'many-hooks')
    const more = () => as({ admin }).createHook({ company: company.id, body })
    const { id } = await more()
    const outcomes = await outcomesOf(Array.from({ length: limits.hooksPerCompany + 2 }, more))
    assert.deepEqual(outcomes, { hook_limit_reached: 3, ok: limits.hooksPerCompany - 1 })
    await as({ admin }).deleteHook({ params: { id }, company: company.id })
    await more()
  })

  test('keeps what an update leaves out; an id in the body must be its own: 400', async () => {
    const { secret: _secret, ...created } = await create({ name: 'ERP', mode: 'live' })
    const updated = await update(created.id, { id: created.id.toUpperCase(), description: 'New' })
    const { updatedAt, ...rest } = updated
    assert.deepEqual({ ...rest, updatedAt: created.updatedAt }, { ...created, description: 'New' })
    assert.ok((updatedAt ?? '') > (created.updatedAt ?? ''))
    await assertRefused(update(created.id, { id: owner.company.id }), 'id_mismatch')
  })

  test('of another company does not exist for any operation: 404', async () => {
    const { id } = await create()
    const foreign = { params: { id }, company: other.company.id }
    const client = as(other)
    await assertRefused(client.readHook(foreign), 'not_found')
    await assertRefused(client.updateHook({ ...foreign, body: { name: 'mine' } }), 'not_found')
    await assertRefused(client.rotateHookSecret(foreign), 'not_found')
    await assertRefused(client.testHook(foreign), 'not_found')
    await assertRefused(client.deleteHook(foreign), 'not_found')
    assert.deepEqual(await client.listHooks({ company: other.company.id }), [])
    await assertRefused(client.listHooks({ company: owner.company.id }), 'company_foreign')
  })

  test('causes an event and an audit entry at every change, neither with a secret', async () => {
    const token = 'Bearer of-bad-news'
    const { id, secret } = await create({ headers: [{ name: 'Authorization', value: token }] })
    await update(id, { name: 'renamed' })
    const { secret: rotated } = await as(owner).rotateHookSecret(one(id))
    await as(owner).deleteHook(one(id))
    const events = await eventsAbout(server, id)
    const prefix = `company/${owner.company.id}/live/hooks`
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['create_one', 'update_one', 'update_one', 'delete_one'].map((action) => `${prefix}/${action}`),
    )
    const audit = (await auditOf(server, owner.company.id)).slice(-4)
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['hooks.create', 'hooks.update', 'hooks.rotate_secret', 'hooks.delete'],
    )
    const told = JSON.stringify([events, audit, server.log])
    for (const hidden of [secret, rotated, token]) assert.ok(!told.includes(hidden))
  })

  test('is created once for an Idempotency-Key, and the replay is without its secret', async () => {
    const call = { company: owner.company.id, body, idempotencyKey: 'a-key-of-the-hook-test' }
    const { secret, ...first } = await as(owner).createHook(call)
    const replayed: object = await as(owner).createHook(call)
    assert.deepEqual(replayed, first)
    assert.ok(secret.length > 0)
  })
})

describe('the secret of a webhook', () => {
  test('is the given one; an empty one means no secret', async () => {
    assert.equal((await create({ secret: 'ours since 2019' })).secret, 'ours since 2019')
    assert.equal((await create({ secret: '' })).secret, '')
  })

  test('is refused if libraries could read it as another key: 400', async () => {
    for (const secret of ['whsec_', 'whsec_not base64', 'whsec_YQ'])
      assert.match((await refusal(create({ secret }))).answer?.details.join() ?? '', /\/secret/)
  })

  test('is stored encrypted, and so are the values of the headers', async () => {
    const value = 'Bearer canary-in-a-header'
    const { id, secret } = await create({ secret: 'canary-in-a-secret', headers: [{ name: 'X-Key', value }] })
    await as(owner).rotateHookSecret(one(id))
    const dump = [...(await dumpOf(server)).values()].join()
    assert.ok(dump.includes(id))
    for (const hidden of [secret, value]) {
      assert.ok(!dump.includes(hidden) && !dump.includes(Buffer.from(hidden).toString('hex')))
    }
  })
})

describe('what a webhook listens to', () => {
  const heard = async (asked: CreateHook['scopes']) => (await create({ scopes: asked })).scopes

  test('can be named by any spelling of a resource, and * means all its events', async () => {
    assert.deepEqual(
      await heard([
        { resource: 'wallet', actions: ['create_one', 'create_one'] },
        { resource: 'mail_hooks', actions: ['*'], mode: 'live' },
        { resource: 'accesstoken', actions: ['update_one'] },
      ]),
      [
        { resource: 'wallets', actions: ['create_one'] },
        { resource: 'mailhooks', actions: ['create_one', 'update_one', 'delete_one'], mode: 'live' },
        { resource: 'accesstoken', actions: ['update_one'] },
      ],
    )
  })

  test('must be an event: 400, and every unknown one is named', async () => {
    const asked = [
      { resource: 'furnaces', actions: ['*'] },
      { resource: 'certificates', actions: ['notarize_one', 'read_one'] },
      { resource: 'constructor', actions: ['update_one'] },
    ]
    await assertRefused(create({ scopes: asked }), 'scope_unknown')
    const { answer: said } = await refusal(create({ scopes: asked }))
    assert.deepEqual(said?.details, [
      '/scopes/0: furnaces has no events',
      '/scopes/1: certificates has no event read_one',
      '/scopes/2: constructor has no events',
    ])
  })

  test('cannot be of a mode that the webhook does not receive: 400', async () => {
    const asked = [{ resource: 'wallets', actions: ['*'], mode: 'test' as const }]
    await assertRefused(create({ mode: 'live', scopes: asked }), 'validation_failed')
    const { id } = await create({ mode: 'test', scopes: asked })
    await assertRefused(update(id, { mode: 'live' }), 'validation_failed')
  })
})

describe('the target of a webhook', () => {
  const refused = [
    'ftp://example.com/',
    'https://user@example.com/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://0x0a000001/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
    'https://example.com:25/',
    'http://example.com/',
  ]
  for (const connectionUrl of refused) {
    test(`cannot be ${connectionUrl}: 400`, async () => {
      await assertRefused(create({ connectionUrl }), 'hook_target_refused')
    })
  }

  test('may be without TLS for events of test mode; a change cannot add live events', async () => {
    const connectionUrl = 'http://example.com/'
    const testing = [{ resource: 'wallets', actions: ['*'], mode: 'test' as const }]
    const { id } = await create({ connectionUrl, scopes: testing })
    await assertRefused(update(id, { scopes }), 'hook_target_refused')
    const { id: second } = await create({ connectionUrl, mode: 'test' })
    await assertRefused(update(second, { mode: 'all' }), 'hook_target_refused')
    await update(second, { mode: 'live', connectionUrl: 'https://example.com/' })
  })
})

describe('the headers of a webhook', () => {
  const header = { name: 'Authorization', value: 'Bearer first' }

  test('cannot be headers that the service sets, nor appear twice: 400', async () => {
    for (const name of ['Host', 'content-TYPE', 'Signature', 'webhook-id', 'Transfer-Encoding', 'Proxy-Auth'])
      await assertRefused(create({ headers: [{ name, value: 'x' }] }), 'validation_failed')
    const doubled = [header, { name: 'AUTHORIZATION', value: 'Bearer second' }]
    await assertRefused(create({ headers: doubled }), 'validation_failed')
    for (const value of ['a\r\nx-injected: 1', 'ü'])
      await assertRefused(create({ headers: [{ name: 'x-key', value }] }), 'validation_failed')
    for (const name of ['x key', 'x:key', ''])
      await assertRefused(create({ headers: [{ name, value: 'x' }] }), 'validation_failed')
  })

  test('are shown by name only; a header without a value keeps its value', async () => {
    await using receiver: Receiver = await startReceiver()
    const eventful = await newEventfulOwner(server, 'headstrong')
    const headers = [header, { name: 'X-Plant', value: ' 7 ' }]
    const { id, headers: shown } = await newHook(server, eventful, { connectionUrl: receiver.url, headers })
    assert.deepEqual(shown, [{ name: 'Authorization' }, { name: 'X-Plant' }])
    const changed = await as(eventful).updateHook({
      params: { id },
      company: eventful.company.id,
      body: { headers: [{ name: 'authorization' }, { name: 'X-Mill', value: '8' }] },
    })
    assert.deepEqual(changed.headers, [{ name: 'authorization' }, { name: 'X-Mill' }])
    await eventful.produce('x')
    const [request] = await receiver.until(1)
    const { authorization, 'x-plant': plant, 'x-mill': mill } = request?.headers ?? {}
    assert.deepEqual([authorization, plant, mill], ['Bearer first', undefined, '8'])
    const unknown = { headers: [{ name: 'X-Unknown' }] }
    await assertRefused(
      as(eventful).updateHook({ params: { id }, company: eventful.company.id, body: unknown }),
      'validation_failed',
    )
  })
})

describe('a machine', () => {
  const machine = async (actions: readonly string[]) => {
    const given = {
      hooks: { actions: ['*'] },
      events: { actions: ['*'] },
      certificates: { actions: [...actions] },
    }
    return server.client(await tokenOf(server, await newApplication(server, owner, { scopes: given })))
  }

  test('uses webhooks of its own mode and can neither read nor change others: 403', async () => {
    const client = await machine(['notarize_one', 'receive_one'])
    const { id, mode } = await client.createHook({ body })
    assert.equal(mode, 'test')
    for (const wanted of ['live', 'all'] as const) {
      await assertRefused(client.createHook({ body: { ...body, mode: wanted } }), 'mode_mismatch')
      await assertRefused(client.updateHook({ params: { id }, body: { mode: wanted } }), 'mode_mismatch')
      const { id: theirs } = await create({ mode: wanted })
      await assertRefused(client.readHook({ params: { id: theirs } }), 'mode_mismatch')
      const redirected = { params: { id: theirs }, body: { connectionUrl: 'https://example.org/' } }
      await assertRefused(client.updateHook(redirected), 'mode_mismatch')
      await assertRefused(client.rotateHookSecret({ params: { id: theirs } }), 'mode_mismatch')
      await assertRefused(client.deleteHook({ params: { id: theirs } }), 'mode_mismatch')
    }
    assert.ok((await client.listHooks()).every((hook) => hook.mode === 'test'))
  })

  test('can only listen to events that its scopes let it read: 403', async () => {
    const client = await machine(['notarize_one'])
    await assertRefused(client.createHook({ body }), 'scope_missing')
    const own = [{ resource: 'certificates', actions: ['notarize_one'] }]
    const { id } = await client.createHook({ body: { ...body, scopes: own } })
    await assertRefused(client.updateHook({ params: { id }, body: { scopes } }), 'scope_missing')
    assert.equal((await client.updateHook({ params: { id }, body: { name: 'mine' } })).name, 'mine')
  })
})

test('the last event of a deleted company is delivered', async () => {
  await using receiver = await startReceiver({ reaction: answer(200) })
  const leaving = await newOwner(server, 'leaver')
  const companies = [{ resource: 'companies', actions: ['*'] }]
  const connectionUrl = receiver.url
  await newHook(server, leaving, { connectionUrl, scopes: companies, mode: 'all' })
  await as(leaving).deleteCompany({ params: { id: leaving.company.id } })
  const [request] = await receiver.until(1)
  assert.equal(request?.headers['event-action'], 'delete_one')
})
