import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CreateMailHook, limits, type UpdateMailHook } from '@millseal/contract'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let owner: Owner
let other: Owner
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'mailed')
  other = await newOwner(server, 'stranger')
})
after(() => server[Symbol.asyncDispose]())

const scopes = [{ resource: 'certificates', actions: ['notarize_one', 'receive_one'] }]
const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const create = (asked: Partial<CreateMailHook> = {}) =>
  as(owner).createMailHook({ company: owner.company.id, body: { scopes, ...asked } })
const one = (id: string) => ({ params: { id }, company: owner.company.id })
const update = (id: string, asked: UpdateMailHook) => as(owner).updateMailHook({ ...one(id), body: asked })

describe('a mail hook', () => {
  test('is created, read, listed and deleted: 201, 200, 404', async () => {
    const created = await create({ description: 'All mills' })
    const { id, name, vatId } = owner.company
    const { createdAt, updatedAt, ...rest } = created
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(rest, {
      id: created.id,
      description: 'All mills',
      status: 'enabled',
      scopes,
      owner: { id, name, vatId },
    })
    assert.deepEqual(await as(owner).readMailHook(one(created.id)), { ...created, mails: [] })
    assert.deepEqual((await as(owner).listMailHooks({ company: id }))[0], created)
    assert.deepEqual(await as(owner).deleteMailHook(one(created.id)), { id: created.id })
    await assertRefused(as(owner).readMailHook(one(created.id)), 'not_found')
  })

  test('is refused beyond the limit of a company, also if many are created at once: 403', async () => {
    const { admin, company } = await newOwner(server, 'collector')
    const scope = { company: company.id }
    const more = () => as({ admin }).createMailHook({ ...scope, body: { scopes } })
    const { id } = await more()
    const outcomes = await outcomesOf(Array.from({ length: limits.mailHooksPerCompany + 2 }, more))
    assert.deepEqual(outcomes, { mail_hook_limit_reached: 3, ok: limits.mailHooksPerCompany - 1 })
    await as({ admin }).deleteMailHook({ ...scope, params: { id } })
    await more()
  })

  test('keeps what an update leaves out; an id in the body must be its own: 400', async () => {
    const created = await create({ description: 'Old' })
    server.clock.advance({ seconds: 1 })
    const updated = await update(created.id, { id: created.id.toUpperCase(), status: 'disabled' })
    const { updatedAt, ...rest } = updated
    assert.deepEqual({ ...rest, updatedAt: created.updatedAt }, { ...created, status: 'disabled' })
    assert.ok((updatedAt ?? '') > (created.updatedAt ?? ''))
    await assertRefused(update(created.id, { id: owner.company.id }), 'id_mismatch')
  })

  test('of another company does not exist for any operation: 404', async () => {
    const { id } = await create()
    const foreign = { params: { id }, company: other.company.id }
    await assertRefused(as(other).readMailHook(foreign), 'not_found')
    await assertRefused(as(other).updateMailHook({ ...foreign, body: { description: 'mine' } }), 'not_found')
    await assertRefused(as(other).deleteMailHook(foreign), 'not_found')
    assert.deepEqual(await as(other).listMailHooks({ company: other.company.id }), [])
    await assertRefused(as(other).listMailHooks({ company: owner.company.id }), 'company_foreign')
  })

  test('causes an event and an audit entry at every change', async () => {
    const { id } = await create({ scopes: [{ resource: 'wallets', actions: ['*'], mode: 'test' }] })
    await update(id, { description: 'renamed' })
    await as(owner).deleteMailHook(one(id))
    const events = await eventsAbout(server, id)
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['create_one', 'update_one', 'delete_one'].map(
        (action) => `company/${owner.company.id}/test/mail_hooks/${action}`,
      ),
    )
    const audit = (await auditOf(server, owner.company.id)).slice(-3)
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['mailhooks.create', 'mailhooks.update', 'mailhooks.delete'],
    )
  })

  test('can only name existing events: 400, and every unknown one is named', async () => {
    const unknown = await refusal(
      create({
        scopes: [
          { resource: 'weather', actions: ['*'] },
          { resource: 'wallets', actions: ['explode'] },
        ],
      }),
    )
    assert.equal(unknown.status, 400)
    assert.deepEqual(unknown.answer?.details, [
      '/scopes/0: weather has no events',
      '/scopes/1: wallets has no event explode',
    ])
  })

  test('lists every action that * selects, in the spelling of scopes', async () => {
    const { scopes: written } = await create({ scopes: [{ resource: 'mail_hooks', actions: ['*'] }] })
    assert.deepEqual(written, [
      { resource: 'mailhooks', actions: ['create_one', 'update_one', 'delete_one'] },
    ])
  })
})

describe('a machine', () => {
  test('uses mail hooks of its own mode and can only listen to events that its scopes let it read', async () => {
    const application = await newApplication(server, owner, {
      mode: 'test',
      scopes: {
        mailhooks: { actions: ['create_one', 'read_one', 'read_many', 'update_one', 'delete_one'] },
        wallets: { actions: ['create_one'] },
      },
    })
    const client = server.client(await tokenOf(server, application))
    const company = owner.company.id
    const heard = [{ resource: 'wallets', actions: ['create_one'] }]
    const mine = await client.createMailHook({ company, body: { scopes: heard } })
    assert.deepEqual(mine.scopes, [{ resource: 'wallets', actions: ['create_one'], mode: 'test' }])

    const live = await create({ scopes: [{ resource: 'wallets', actions: ['create_one'], mode: 'live' }] })
    const both = await create()
    assert.deepEqual(
      (await client.listMailHooks({ company })).filter(({ id }) => [live.id, both.id].includes(id)),
      [],
    )
    for (const { id } of [live, both]) {
      await assertRefused(client.readMailHook(one(id)), 'mode_mismatch')
      await assertRefused(client.deleteMailHook(one(id)), 'mode_mismatch')
    }
    const inLive = [{ resource: 'wallets', actions: ['create_one'], mode: 'live' as const }]
    await assertRefused(client.createMailHook({ company, body: { scopes: inLive } }), 'mode_mismatch')
    await assertRefused(client.updateMailHook({ ...one(mine.id), body: { scopes: inLive } }), 'mode_mismatch')
    await assertRefused(client.createMailHook({ company, body: { scopes } }), 'scope_missing')
  })
})
