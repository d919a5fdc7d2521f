import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dumpOf } from '../../../../test/dump.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { foundCompany, type Person, password, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const someId = '0198c0de-0000-7000-8000-000000000000'
const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)
const remove = (who: { accessToken: string }, id: string) => as(who).deleteUser({ params: { id } })
const signIn = (username: string) => server.client().login({ body: { username, password } })
const join = (admin: Person, companyId: string, { email }: Person, role: 'admin' | 'operator') =>
  as(admin).addMember({ params: { id: companyId }, body: { email, role } })

describe('deleteUser', () => {
  test('deletes all data of the account and frees its username and address', async () => {
    const person = await signUp(server, 'short-stay')
    await signIn(person.username)
    await server.client().requestPasswordReset({ params: { email: person.email } })
    await server.mailsTo(person.email, 2)
    assert.equal(await remove(person, person.id), person.id)
    await assertRefused(as(person).readMe(), 'token_invalid')
    await assertRefused(signIn(person.username), 'credentials_wrong')
    const dump = await dumpOf(server)
    for (const table of ['users', 'sessions', 'user_links', 'company_members']) {
      assert.ok(!(dump.get(`public.${table}`) ?? '').includes(person.id), table)
    }
    const audit = (dump.get('public.audit_log') ?? '').split('\n')
    assert.ok(audit.some((line) => line.includes('users.delete') && line.includes(person.id)))
    const { username, email } = person
    assert.ok(await server.client().registerUser({ body: { username, email, password } }))
  })

  test('requires a sign-in within the last 10 minutes, also from operators', async () => {
    const person = await signUp(server, 'hesitant')
    const operator = await signUpOperator(server)
    server.clock.advance({ minutes: 11 })
    await assertRefused(remove(person, person.id), 'step_up_required')
    await assertRefused(remove(operator, person.id), 'step_up_required')
    assert.equal(await remove(await signIn(person.username), person.id), person.id)
  })

  test('lets users delete themselves and operators delete anybody; other callers get not_found', async () => {
    const person = await signUp(server, 'protected')
    const other = await signUp(server, 'attacker')
    const operator = await signUpOperator(server)
    for (const id of [person.id, someId]) await assertRefused(remove(other, id), 'not_found')
    await assertRefused(remove(other, 'not-an-id'), 'validation_failed')
    await assertRefused(remove(operator, someId), 'not_found')
    assert.equal((await refusal(server.client().deleteUser({ params: { id: person.id } }))).status, 401)
    assert.equal(await remove(operator, person.id.toUpperCase()), person.id)
    await assertRefused(as(person).readMe(), 'token_invalid')
  })

  test('fails while a company has no other admin, and names the company', async () => {
    const owner = await signUp(server, 'sole-admin')
    const clerk = await signUp(server, 'mere-clerk')
    const company = await foundCompany(server, owner, { name: 'Orphan Castings' })
    await join(owner, company.id, clerk, 'operator')
    const refused = await refusal(remove(owner, owner.id))
    assert.equal(refused.status, 409)
    assert.match(refused.answer?.details.join() ?? '', /Orphan Castings/)
    assert.ok(await as(owner).readMe(), 'nothing was deleted')
    await as(owner).updateMember({
      params: { id: company.id, userId: clerk.id },
      body: { role: 'admin' },
    })
    assert.equal(await remove(owner, owner.id), owner.id)
    const left = await as(clerk).readCompany({ params: { id: company.id } })
    assert.equal(left.owner.id, clerk.id, 'the company passes to the other admin')
    assert.deepEqual(left.members, [])
  })

  test('writes an event and an audit entry for each company the user leaves', async () => {
    const owner = await signUp(server, 'staying-owner')
    const leaver = await signUp(server, 'leaving-clerk')
    const company = await foundCompany(server, owner, { name: 'Notified Works' })
    await join(owner, company.id, leaver, 'operator')
    await remove(leaver, leaver.id)
    const topics = (await eventsAbout(server, company.id)).map(({ topic }) => topic).slice(-2)
    assert.deepEqual(topics, [
      `company/${company.id}/live/companies/update_one`,
      `user/${owner.id}/live/companies/update_one`,
    ])
    const [last] = (await auditOf(server, company.id)).slice(-1)
    assert.deepEqual([last?.actor, last?.action], [`user:${leaver.id}`, 'members.remove'])
  })

  test('lets one of the last two admins delete themselves when both try at once', async () => {
    const one = await signUp(server, 'admin-number-one')
    const two = await signUp(server, 'admin-number-two')
    const company = await foundCompany(server, one, { name: 'Contested Forge' })
    await join(one, company.id, two, 'admin')
    const outcomes = await outcomesOf([remove(one, one.id), remove(two, two.id)])
    assert.deepEqual(outcomes, { last_admin: 1, ok: 1 })
  })
})
