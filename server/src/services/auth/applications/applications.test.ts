import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { executeIn } from '../../../../test/execute-in.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let owner: Owner
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'applicant')
})
after(() => server[Symbol.asyncDispose]())

const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const scopes = { certificates: { actions: ['notarize_one', 'read_one'] } }
const body = { description: 'ERP', mode: 'test', scopes } as const

describe('an application', () => {
  test('is created with its secret and read without it: 201, 200', async () => {
    const { clientSecret, ...created } = await as(owner).createApplication({
      company: owner.company.id,
      body,
    })
    assert.match(created.clientId, /^[0-9A-Za-z]{32}$/)
    assert.match(clientSecret, /^mss_[0-9A-Za-z]{49}$/)
    const { id, name, vatId } = owner.company
    assert.deepEqual(created.owner, { id, name, vatId })
    assert.deepEqual(created.scopes, { certificates: { actions: ['read_one', 'notarize_one'] } })
    const one = { params: { id: created.id }, company: id }
    assert.deepEqual(await as(owner).readApplication(one), created)
    assert.deepEqual(await as(owner).listApplications({ company: id }), [created])
    assert.deepEqual(await as(owner).listApplications({ company: id, query: { mode: 'test' } }), [created])
    await as(owner).deleteApplication(one)
  })

  test('needs a name or a description, and the missing one becomes equal to the other: 400', async () => {
    const { company } = owner
    for (const text of [{}, { name: ' ' }, { description: '' }]) {
      const { status, answer } = await refusal(
        as(owner).createApplication({ company: company.id, body: { ...text, mode: 'test', scopes } }),
      )
      assert.equal(status, 400)
      assert.match(answer?.details.join() ?? '', /\/(name|description)/)
    }
    const named = await as(owner).createApplication({
      company: company.id,
      body: { name: 'MES', mode: 'test', scopes },
    })
    assert.equal(named.description, 'MES')
    const one = { params: { id: named.id }, company: company.id }
    const renamed = await as(owner).updateApplication({ ...one, body: { description: 'SAP' } })
    assert.deepEqual([renamed.name, renamed.description], ['SAP', 'SAP'])
    const both = await as(owner).updateApplication({
      ...one,
      body: { name: 'SAP', description: 'All mills' },
    })
    assert.deepEqual([both.name, both.description], ['SAP', 'All mills'])
    const again = await as(owner).updateApplication({ ...one, body: { name: 'SAP S/4' } })
    assert.deepEqual([again.name, again.description], ['SAP S/4', 'All mills'])
    await as(owner).deleteApplication(one)
  })

  test('needs scopes that exist (400) and that machines can have (403)', async () => {
    const create = (asked: typeof everyScope) =>
      as(owner).createApplication({ company: owner.company.id, body: { ...body, scopes: asked } })
    await assertRefused(create({ furnaces: { actions: ['read_one'] } }), 'scope_unknown')
    await assertRefused(create({ users: { actions: ['read_one'] } }), 'scope_exceeded')
    const all = await create(everyScope)
    assert.deepEqual(all.scopes, everyScope)
    const token = await tokenOf(server, all)
    assert.ok(token.length < limits.token.maxLength, `${token.length} characters`)
    assert.ok(await server.client(token).readCompany({ params: { id: owner.company.id } }))
    await as(owner).deleteApplication({ params: { id: all.id }, company: owner.company.id })
  })

  test('shows when it was last used, which is written at most once an hour', async () => {
    const made = await as(owner).createApplication({
      company: owner.company.id,
      body: { ...body, scopes: everyScope },
    })
    const one = { params: { id: made.id }, company: owner.company.id }
    const lastUse = async () => (await as(owner).readApplication(one)).lastUsedAt
    const token = await tokenOf(server, made)
    assert.equal(await lastUse(), undefined, 'a token that nobody used is no use')
    const call = () => server.client(token).readCompany({ params: { id: owner.company.id } })
    const start = server.clock.now()
    await Promise.all([call(), call(), call()])
    const first = Date.parse((await lastUse()) ?? '')
    assert.ok(first >= start)
    await call()
    assert.equal(Date.parse((await lastUse()) ?? ''), first)
    const wroteBefore = (minutes: number) =>
      executeIn(
        server,
        `update applications set last_used_at = '${new Date(first - minutes * 60_000).toISOString()}' where id = '${made.id}'`,
      )
    await wroteBefore(50)
    await call()
    assert.equal(Date.parse((await lastUse()) ?? ''), first - 50 * 60_000)
    await wroteBefore(61)
    await call()
    assert.ok(Date.parse((await lastUse()) ?? '') >= first)
    await as(owner).deleteApplication(one)
  })

  test('is one of at most six, even if twenty are created at once: 403', async () => {
    const { admin, company } = await newOwner(server, 'collector')
    const create = () => newApplication(server, { admin, company })
    assert.deepEqual(await outcomesOf(Array.from({ length: 20 }, create)), {
      application_limit_reached: 14,
      ok: 6,
    })
    const found = await server.client(admin.accessToken).listApplications({ company: company.id })
    assert.equal(found.length, 6)
    const seventh = await refusal(create())
    assert.equal(seventh.status, 403)
    assert.match(seventh.answer?.details.join() ?? '', /at most 6/)
    const first = { params: { id: found.at(-1)?.id ?? '' }, company: company.id }
    await server.client(admin.accessToken).deleteApplication(first)
    assert.ok(await create())
  })

  test('is listed newest first, in pages', async () => {
    const { admin, company } = await newOwner(server, 'paginator')
    for (const description of ['one', 'two', 'three'])
      await newApplication(server, { admin, company }, { description })
    const page = (url: string) =>
      fetch(url, { headers: { authorization: `Bearer ${admin.accessToken}`, company: company.id } })
    const first = `${server.url}/api/applications?mode=test&limit=2`
    const answer = await page(first)
    const names = async (response: Response) =>
      ((await response.json()) as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(await names(answer), ['three', 'two'])
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
    const second = await page(new URL(next, first).href)
    assert.deepEqual(await names(second), ['one'])
    assert.equal(second.headers.get('link'), null)
  })

  test('is updated only under its own id: 400, 404', async () => {
    const { id } = await newApplication(server, owner)
    const { company } = owner
    const other = '0198c0de-0000-7000-8000-000000000000'
    const update = (call: object) =>
      as(owner).updateApplication({ params: { id }, company: company.id, body: {}, ...call })
    await assertRefused(update({ body: { id: other, name: 'x' } }), 'id_mismatch')
    await assertRefused(update({ params: { id: other } }), 'not_found')
    await assertRefused(update({ body: { scopes: { users: { actions: ['*'] } } } }), 'scope_exceeded')
    assert.equal((await update({ body: { id, name: 'x' } })).name, 'x')
    await as(owner).deleteApplication({ params: { id }, company: company.id })
  })

  test('of another company does not exist for the caller, and readers cannot change any: 404, 403', async () => {
    const { id } = await newApplication(server, owner)
    const stranger = await newOwner(server, 'stranger')
    const inTheirs = { params: { id }, company: stranger.company.id }
    const inOurs = { params: { id }, company: owner.company.id }
    const calls = (call: typeof inOurs) => [
      () => as(stranger).readApplication(call),
      () => as(stranger).updateApplication({ ...call, body: { name: 'mine' } }),
      () => as(stranger).deleteApplication(call),
      () => as(stranger).rotateApplicationSecret(call),
    ]
    for (const call of calls(inTheirs)) await assertRefused(call(), 'not_found')
    for (const call of calls(inOurs)) await assertRefused(call(), 'company_foreign')
    assert.deepEqual(await as(stranger).listApplications({ company: stranger.company.id }), [])

    const reader = await signUp(server, 'reader')
    await as(owner).addMember({
      params: { id: owner.company.id },
      body: { email: reader.email, role: 'read_only' },
    })
    const reading = server.client(reader.accessToken)
    assert.equal((await reading.readApplication(inOurs)).id, id)
    await assertRefused(reading.rotateApplicationSecret(inOurs), 'member_role_missing')
    await assertRefused(reading.createApplication({ company: owner.company.id, body }), 'member_role_missing')
    await as(owner).deleteApplication(inOurs)
  })

  test('cannot be created or read by a machine, nor without a company: 403, 400', async () => {
    const application = await newApplication(server, owner, { scopes: everyScope })
    const machine = server.client(await tokenOf(server, application))
    await assertRefused(machine.createApplication({ company: owner.company.id, body }), 'person_required')
    await assertRefused(machine.listApplications({ company: owner.company.id }), 'person_required')
    await assertRefused(as(owner).listApplications(), 'company_header_missing')
    await as(owner).deleteApplication({ params: { id: application.id }, company: owner.company.id })
  })

  test('is created once for one Idempotency-Key, and its secret is shown once', async () => {
    const { admin, company } = await newOwner(server, 'repeater')
    const create = () =>
      server
        .client(admin.accessToken)
        .createApplication({ company: company.id, body, idempotencyKey: 'once-and-for-all' })
    const first = await create()
    const { clientSecret, ...rest } = first
    assert.deepEqual(await create(), rest)
    assert.ok(await tokenOf(server, { clientId: rest.clientId, clientSecret }))
  })

  test('causes an event and an audit entry with every change, none of which contain a secret', async () => {
    const { admin, company } = await newOwner(server, 'auditee')
    const created = await newApplication(server, { admin, company })
    const one = { params: { id: created.id }, company: company.id }
    await server.client(admin.accessToken).updateApplication({ ...one, body: { scopes } })
    const rotated = await server.client(admin.accessToken).rotateApplicationSecret(one)
    const token = await tokenOf(server, rotated)
    await server.client(admin.accessToken).deleteApplication(one)

    const events = await eventsAbout(server, created.id)
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['create_one', 'update_one', 'update_one', 'delete_one'].map(
        (action) => `company/${company.id}/test/applications/${action}`,
      ),
    )
    const { clientSecret, ...public_ } = created
    assert.deepEqual(events[0]?.payload, public_)
    const entries = (await auditOf(server, company.id)).filter(({ action }) =>
      /^(applications|tokens)/.test(action),
    )
    const byAdmin = `user:${admin.id}`
    assert.deepEqual(
      entries.map(({ actor, action }) => [actor, action]),
      [
        [byAdmin, 'applications.create'],
        [byAdmin, 'applications.update'],
        [byAdmin, 'applications.rotate_secret'],
        [`application:${created.id}`, 'tokens.create'],
        [byAdmin, 'applications.delete'],
      ],
    )
    const { name, description } = created
    assert.deepEqual(
      entries.slice(0, 2).map(({ details }) => details),
      [
        { mode: 'test', clientId: created.clientId, name, description, scopes: created.scopes },
        {
          mode: 'test',
          before: { name, description, scopes: created.scopes },
          after: { name, description, scopes: rotated.scopes },
        },
      ],
    )
    const text = JSON.stringify([events, entries, server.log])
    for (const secret of [clientSecret, rotated.clientSecret, token]) assert.ok(!text.includes(secret))
  })
})
