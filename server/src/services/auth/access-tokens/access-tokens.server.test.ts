import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { claimsOf, newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let owner: Owner
before(async () => {
  server = await startOwnServer()
  owner = await newOwner(server, 'earlier-user')
})
after(() => server[Symbol.asyncDispose]())

const scopes = { companies: { actions: ['read_many'] } }
const test_ = { mode: 'test' } as const
const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const create = (given: Owner = owner, body: object = {}) =>
  as(given).createAccessToken({ company: given.company.id, query: test_, body: { scopes, ...body } })
const lists = (jwt: string) => server.client(jwt).listCompanies()
const signInAgain = async () => {
  owner = { ...owner, admin: await owner.signInAgain() }
}

describe('a long-lived access token', () => {
  test('is shown once, and its description can be read later: 201, 200', async () => {
    const { jwt, ...created } = await create(owner, { description: 'Node-RED' })
    assert.equal(created.companyId, owner.company.id)
    assert.equal(created.audience, 'millseal')
    assert.equal(created.description, 'Node-RED')
    assert.equal(created.expiresIn, 365 * 86_400)
    assert.equal(claimsOf(jwt)['jti'], created.jwtId)
    assert.equal(claimsOf(jwt)['exp'], created.issuedAt + created.expiresIn)
    const one = { params: { id: created.id }, company: owner.company.id }
    assert.deepEqual(await as(owner).readAccessToken(one), created)
    assert.deepEqual(await as(owner).listAccessTokens({ company: owner.company.id }), [created])
    assert.equal((await lists(jwt)).length, 1)
    await assertRefused(
      server.client(jwt).validateVatId({ query: { vatId: 'ATU74488404' } }),
      'scope_missing',
    )
  })

  test('is refused beyond the limit of a company, also if many are created at once: 403', async () => {
    const collector = await newOwner(server, 'collector')
    const more = () => create(collector)
    const { id } = await more()
    for (let made = 1; made < limits.accessTokensPerCompany - 10; made += 1) await more()
    assert.deepEqual(await outcomesOf(Array.from({ length: 12 }, more)), {
      access_token_limit_reached: 2,
      ok: 10,
    })
    await as(collector).revokeAccessToken({ params: { id }, company: collector.company.id })
    await more()
  })

  test('is valid for the requested time, between a day and seven years: 400, 401', async () => {
    const { minSeconds, maxSeconds } = limits.longLivedToken
    for (const expiresIn of [0, -1, minSeconds - 1, maxSeconds + 1, 1.5, '86400', 1_843_565_761])
      assert.equal((await refusal(create(owner, { expiresIn }))).status, 400, String(expiresIn))
    const longest = await create(owner, { expiresIn: maxSeconds })
    const shortest = await create(owner, { expiresIn: minSeconds })
    assert.equal((await lists(shortest.jwt)).length, 1)
    server.clock.advance({ days: 1, seconds: 10 })
    await assertRefused(lists(shortest.jwt), 'token_expired')
    server.clock.advance({ days: 2_000 })
    assert.equal((await lists(longest.jwt)).length, 1)
    await signInAgain()
  })

  test('is replaced under its id with new scopes, and the old one becomes invalid: 200, 401, 404', async () => {
    const created = await create()
    const replace = (call: object) =>
      as(owner).updateAccessToken({
        params: { id: created.id },
        company: owner.company.id,
        query: test_,
        body: { scopes: { wallet: { actions: ['read_one'] } }, expiresIn: 86_400 },
        ...call,
      })
    const replaced = await replace({})
    assert.equal(replaced.id, created.id)
    assert.deepEqual(replaced.scopes, { wallets: { actions: ['read_one'] } })
    assert.notEqual(replaced.jwtId, created.jwtId)
    await assertRefused(lists(created.jwt), 'token_invalid')
    await assertRefused(lists(replaced.jwt), 'scope_missing')
    await assertRefused(replace({ params: { id: '0198c0de-0000-7000-8000-000000000000' } }), 'not_found')
    await assertRefused(replace({ body: { scopes: { users: { actions: ['*'] } } } }), 'scope_exceeded')
  })

  test('is revoked and its record deleted: 200, 401, 404', async () => {
    const { id, jwt } = await create()
    const one = { params: { id }, company: owner.company.id }
    assert.deepEqual(await as(owner).revokeAccessToken(one), { id })
    await assertRefused(lists(jwt), 'token_invalid')
    await assertRefused(as(owner).revokeAccessToken(one), 'not_found')
    await assertRefused(as(owner).readAccessToken(one), 'not_found')
  })

  test('becomes invalid when its creator leaves the company or is deactivated', async () => {
    const leaver = await signUp(server, 'leaver')
    const { id: companyId } = owner.company
    await as(owner).addMember({ params: { id: companyId }, body: { email: leaver.email, role: 'admin' } })
    const { jwt } = await create({ ...owner, admin: leaver })
    assert.equal((await lists(jwt)).length, 1)
    await as(owner).removeMember({ params: { id: companyId, userId: leaver.id } })
    await assertRefused(lists(jwt), 'token_invalid')

    const suspect = await newOwner(server, 'suspect')
    const theirs = await create(suspect)
    const operator = await signUpOperator(server)
    await server
      .client(operator.accessToken)
      .updateUser({ params: { id: suspect.admin.id }, body: { status: 'inactive' } })
    await assertRefused(lists(theirs.jwt), 'token_invalid')
  })

  test('of another company does not exist for the caller, and machines cannot create any: 404, 403', async () => {
    const { id, jwt } = await create()
    const stranger = await newOwner(server, 'token-stranger')
    const inTheirs = { params: { id }, company: stranger.company.id }
    await assertRefused(as(stranger).readAccessToken(inTheirs), 'not_found')
    await assertRefused(as(stranger).revokeAccessToken(inTheirs), 'not_found')
    await assertRefused(
      as(stranger).updateAccessToken({ ...inTheirs, query: test_, body: { scopes } }),
      'not_found',
    )
    await assertRefused(
      as(stranger).readAccessToken({ ...inTheirs, company: owner.company.id }),
      'company_foreign',
    )
    const machine = server.client(jwt)
    await assertRefused(machine.listAccessTokens({ company: owner.company.id }), 'person_required')
    await assertRefused(
      machine.createAccessToken({ company: owner.company.id, query: test_, body: { scopes } }),
      'person_required',
    )
  })

  test('in live mode requires a verified company and MFA: 403, 201', async () => {
    const hasty = await newOwner(server, 'hasty')
    const live = ({ admin, company }: Pick<Owner, 'admin' | 'company'>) =>
      as({ admin }).createAccessToken({ company: company.id, query: { mode: 'live' }, body: { scopes } })
    await assertRefused(live(hasty), 'company_unverified')
    await verifyCompany(server, await signUpOperator(server), hasty.company.id)
    await assertRefused(live(hasty), 'mfa_required')
    const ready = await newLiveOwner(server, 'ready')
    const { id, jwt, mode } = await live(ready)
    assert.equal(mode, 'live')
    assert.equal((await lists(jwt)).length, 1)
    await assertRefused(
      as(ready).updateAccessToken({
        params: { id },
        company: ready.company.id,
        query: test_,
        body: { scopes },
      }),
      'not_found',
    )
  })

  test('causes events, audit entries and a mail to its creator, none of which contain the token', async () => {
    const recorded = await newOwner(server, 'recorded')
    const { id, jwt, ...rest } = await create(recorded)
    const one = { params: { id }, company: recorded.company.id }
    const replaced = await as(recorded).updateAccessToken({ ...one, query: test_, body: { scopes } })
    await as(recorded).revokeAccessToken(one)
    const events = await eventsAbout(server, id)
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['create_one', 'update_one', 'update_one'].map(
        (action) => `company/${recorded.company.id}/test/access_token/${action}`,
      ),
    )
    assert.deepEqual(events[0]?.payload, { id, ...rest })
    const entries = (await auditOf(server, recorded.company.id)).filter(({ action }) =>
      action.startsWith('access_tokens'),
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['access_tokens.create', 'access_tokens.update', 'access_tokens.revoke'],
    )
    const mails = await server.mailsTo(recorded.admin.email, 3)
    assert.equal(mails.filter((mail) => mail.includes('langlebiges Zugriffstoken')).length, 2)
    const text = JSON.stringify([events, entries, mails, server.log])
    for (const secret of [jwt, replaced.jwt]) assert.ok(!text.includes(secret.split('.')[2] ?? 'missing'))
  })
})
