import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Company, MemberRole } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { foundCompany, type Person, password, signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let owner: Person
let second: Person
let third: Person
before(async () => {
  server = await startOwnServer()
  owner = await signUp(server, 'owner')
  second = await signUp(server, 'second')
  third = await signUp(server, 'third')
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)
const add = (company: Company, person: Pick<Person, 'email'>, role: MemberRole, by: Person = owner) =>
  as(by).addMember({ params: { id: company.id }, body: { email: person.email, role } })
const setRole = (company: Company, person: Person, role: MemberRole, by: Person = owner) =>
  as(by).updateMember({ params: { id: company.id, userId: person.id }, body: { role } })
const remove = (company: Company, person: Person, by: Person = owner) =>
  as(by).removeMember({ params: { id: company.id, userId: person.id } })
const rolesIn = async (company: Company, by: Person = owner) =>
  Object.fromEntries(
    (await as(by).listMembers({ params: { id: company.id } })).map(({ user, role }) => [user.username, role]),
  )

describe('adding members', () => {
  test('adds a registered user by address, in any letter case, and writes events for all members', async () => {
    const company = await foundCompany(server, owner)
    const member = await add(company, { email: second.email.toUpperCase() }, 'read_only')
    assert.equal(member.user.id, second.id)
    assert.equal(member.role, 'read_only')
    assert.deepEqual(await rolesIn(company, second), { owner: 'admin', second: 'read_only' })
    const read = await as(second).readCompany({ params: { id: company.id } })
    assert.deepEqual(
      read.members.map(({ id }) => id),
      [second.id],
    )
    assert.ok((await as(second).readMe()).assignedCompanies.some(({ id }) => id === company.id))
    const events = await eventsAbout(server, company.id)
    assert.deepEqual(
      events.map(({ topic }) => topic).toSorted(),
      [`company/${company.id}`, `user/${owner.id}`, `user/${second.id}`].map(
        (receiver) => `${receiver}/live/companies/update_one`,
      ),
    )
    assert.deepEqual((await auditOf(server, company.id)).at(-1), {
      actor: `user:${owner.id}`,
      action: 'members.add',
      details: { userId: second.id, role: 'read_only' },
    })
  })

  test('rejects users who are unknown, unconfirmed or already members', async () => {
    const company = await foundCompany(server, owner)
    const unconfirmed = { username: 'squatter', email: 'squatter@example.com' }
    await server.client().registerUser({ body: { ...unconfirmed, password } })
    await assertRefused(add(company, { email: 'nobody@example.com' }, 'admin'), 'member_unknown')
    await assertRefused(add(company, unconfirmed, 'admin'), 'member_unknown')
    await assertRefused(add(company, owner, 'operator'), 'member_exists')
    assert.deepEqual(await outcomesOf([1, 2, 3].map(() => add(company, second, 'operator'))), {
      member_exists: 2,
      ok: 1,
    })
    assert.deepEqual(await rolesIn(company), { owner: 'admin', second: 'operator' })
  })

  test('lets only admins add, change and remove members; all members can list them', async () => {
    const company = await foundCompany(server, owner)
    await add(company, second, 'operator')
    for (const role of ['clerk', 'operator', 'read_only'] as const) {
      await setRole(company, second, role)
      await assertRefused(add(company, third, 'read_only', second), 'member_role_missing')
      await assertRefused(setRole(company, second, 'admin', second), 'member_role_missing')
      await assertRefused(remove(company, owner, second), 'member_role_missing')
      const id = company.id
      const byEmail = { params: { id }, body: { member: owner.email } }
      await assertRefused(as(second).addMemberByEmail(byEmail), 'member_role_missing')
      await assertRefused(as(second).removeMemberByEmail(byEmail), 'member_role_missing')
      await assertRefused(
        as(second).updateCompany({ params: { id }, body: { name: 'Taken Over' } }),
        'member_role_missing',
      )
      await assertRefused(as(second).deleteCompany({ params: { id } }), 'member_role_missing')
      assert.equal((await as(second).readCompany({ params: { id } })).id, id)
      assert.deepEqual(await as(second).listReviews({ params: { id } }), [])
      assert.deepEqual(await rolesIn(company, second), { owner: 'admin', second: role })
    }
    await setRole(company, second, 'admin')
    await add(company, third, 'read_only', second)
  })

  test('lists members in pages', async () => {
    const company = await foundCompany(server, owner)
    await add(company, second, 'operator')
    await add(company, third, 'operator')
    const params = { id: company.id }
    const first = await as(owner).listMembers({ params, query: { limit: 2 } })
    const rest = await as(owner).listMembers({
      params,
      query: { limit: 2, after: first.at(-1)?.user.id ?? '' },
    })
    assert.deepEqual(
      [...first, ...rest].map(({ user }) => user.username),
      ['third', 'second', 'owner'],
    )
  })
})

describe('changing and removing members', () => {
  test('answers not_found for a user who is not a member', async () => {
    const company = await foundCompany(server, owner)
    await assertRefused(setRole(company, second, 'admin'), 'not_found')
    await assertRefused(remove(company, second), 'not_found')
  })

  test('a removed member loses access with the next call', async () => {
    const company = await foundCompany(server, owner)
    await add(company, second, 'admin')
    assert.deepEqual(await remove(company, second), { id: second.id })
    await assertRefused(as(second).readCompany({ params: { id: company.id } }), 'not_found')
    const received = (await eventsAbout(server, company.id)).filter(({ topic }) => topic.includes(second.id))
    assert.equal(received.length, 1, 'the event of joining, none after the removal')
    assert.equal((await auditOf(server, company.id)).at(-1)?.action, 'members.remove')
  })

  test('any member can leave', async () => {
    const company = await foundCompany(server, owner)
    await add(company, second, 'read_only')
    assert.deepEqual(await remove(company, second, second), { id: second.id })
    assert.deepEqual(await rolesIn(company), { owner: 'admin' })
  })

  test('the last admin can neither leave nor give up the role', async () => {
    const company = await foundCompany(server, owner)
    await add(company, second, 'operator')
    await assertRefused(remove(company, owner), 'last_admin')
    await assertRefused(setRole(company, owner, 'operator'), 'last_admin')
    assert.deepEqual(await rolesIn(company), { owner: 'admin', second: 'operator' })
    assert.ok((await eventsAbout(server, company.id)).every(({ topic }) => topic.endsWith('update_one')))
    assert.equal((await auditOf(server, company.id)).length, 2)
  })

  test('one admin remains if all leave or remove each other at once', async () => {
    for (const each of [
      remove,
      (company: Company, person: Person) => setRole(company, person, 'read_only', person),
    ]) {
      const company = await foundCompany(server, owner)
      await add(company, second, 'admin')
      await add(company, third, 'admin')
      const outcomes = await outcomesOf([owner, second, third].map((person) => each(company, person, person)))
      assert.deepEqual(outcomes, { last_admin: 1, ok: 2 })
    }
    const company = await foundCompany(server, owner)
    await add(company, second, 'admin')
    const outcomes = await outcomesOf([remove(company, second, owner), remove(company, owner, second)])
    assert.equal(outcomes['ok'], 1, JSON.stringify(outcomes))
    const left = await Promise.allSettled([rolesIn(company, owner), rolesIn(company, second)])
    const [roles] = left.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    assert.deepEqual(Object.values(roles ?? {}), ['admin'])
  })

  test('the longest-standing admin becomes the owner if the owner leaves', async () => {
    const company = await foundCompany(server, owner)
    await add(company, third, 'operator')
    await add(company, second, 'admin')
    await remove(company, owner, owner)
    const read = await as(second).readCompany({ params: { id: company.id } })
    assert.equal(read.owner.id, second.id)
    assert.deepEqual(
      read.members.map(({ id }) => id),
      [third.id],
    )
    assert.deepEqual((await auditOf(server, company.id)).at(-1)?.details, {
      userId: owner.id,
      owner: second.id,
    })
  })
})

describe('members by e-mail address (earlier API)', () => {
  test('are added as operators and removed; each call returns the company', async () => {
    const company = await foundCompany(server, owner)
    const call = { params: { id: company.id }, body: { member: second.email.toUpperCase() } }
    const withSecond = await as(owner).addMemberByEmail(call)
    assert.deepEqual(
      withSecond.members.map(({ id }) => id),
      [second.id],
    )
    assert.deepEqual(await rolesIn(company), { owner: 'admin', second: 'operator' })
    await assertRefused(as(owner).addMemberByEmail(call), 'member_exists')
    assert.deepEqual((await as(owner).removeMemberByEmail(call)).members, [])
    await assertRefused(as(owner).removeMemberByEmail(call), 'member_unknown')
    const self = { params: { id: company.id }, body: { member: owner.email } }
    await assertRefused(as(owner).removeMemberByEmail(self), 'last_admin')
  })
})
