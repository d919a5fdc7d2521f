import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { enableMfa, foundCompany, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const someId = '0198c0de-0000-7000-8000-000000000000'
const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)

describe('reading users', () => {
  test('shows a user to themselves and to operators; other callers get not_found', async () => {
    const person = await signUp(server, 'visible')
    const other = await signUp(server, 'outsider')
    const operator = await signUpOperator(server)
    const params = { id: person.id }
    const me = await as(person).readMe()
    assert.deepEqual(await as(person).readUser({ params }), me)
    assert.deepEqual(await as(operator).readUser({ params: { id: person.id.toUpperCase() } }), me)
    for (const id of [person.id, someId]) {
      await assertRefused(as(other).readUser({ params: { id } }), 'not_found')
      await assertRefused(as(other).listCompaniesOfUser({ params: { id } }), 'not_found')
    }
    await assertRefused(as(operator).readUser({ params: { id: someId } }), 'not_found')
    await assertRefused(as(operator).listCompaniesOfUser({ params: { id: someId } }), 'not_found')
    await assertRefused(as(person).readUser({ params: { id: 'not-an-id' } }), 'validation_failed')
  })

  test('lists users for operators only, newest first, in pages, with companies and without secrets', async () => {
    const owner = await signUp(server, 'listed-owner')
    const company = await foundCompany(server, owner)
    const member = await signUp(server, 'listed-member')
    await as(owner).addMember({
      params: { id: company.id },
      body: { email: member.email, role: 'read_only' },
    })
    const operator = await signUpOperator(server)
    await assertRefused(as(owner).listUsers(), 'role_missing')
    const users = await as(operator).listUsers({ query: { limit: 3 } })
    assert.deepEqual(
      users.map(({ id }) => id),
      [operator.id, member.id, owner.id],
    )
    assert.deepEqual(
      users.map((user) => [user.companies.length, user.assignedCompanies.length]),
      [
        [0, 0],
        [0, 1],
        [1, 0],
      ],
    )
    const [next] = await as(operator).listUsers({ query: { limit: 1, after: owner.id } })
    assert.ok(next !== undefined && next.id < owner.id)
    assert.ok(!JSON.stringify(users).includes('argon2'))
  })

  test('answers 401 without a token', async () => {
    const anonymous = server.client()
    const params = { id: someId }
    const calls = [
      () => anonymous.listUsers(),
      () => anonymous.readMe(),
      () => anonymous.readUser({ params }),
      () => anonymous.readOnboarding(),
      () => anonymous.readOnboardingOfUser({ params }),
      () => anonymous.listCompaniesOfUser({ params }),
    ]
    for (const call of calls) assert.equal((await refusal(call())).status, 401)
  })
})

describe('listing the companies of a user', () => {
  test('returns owned and joined companies; readMe returns them separately', async () => {
    const owner = await signUp(server, 'two-hats')
    const friend = await signUp(server, 'other-hat')
    const own = await foundCompany(server, owner, { name: 'Own Works' })
    const joined = await foundCompany(server, friend, { name: 'Joined Works' })
    await as(friend).addMember({ params: { id: joined.id }, body: { email: owner.email, role: 'operator' } })
    const me = await as(owner).readMe()
    assert.deepEqual(
      me.companies.map(({ id }) => id),
      [own.id],
    )
    assert.deepEqual(
      me.assignedCompanies.map(({ id }) => id),
      [joined.id],
    )
    const listed = await as(owner).listCompaniesOfUser({ params: { id: owner.id } })
    assert.deepEqual(listed, [...me.assignedCompanies, ...me.companies])
    const second = { params: { id: owner.id }, query: { limit: 1, after: joined.id } }
    assert.deepEqual(await as(owner).listCompaniesOfUser(second), me.companies)
    const operator = await signUpOperator(server)
    assert.deepEqual(await as(operator).listCompaniesOfUser({ params: { id: owner.id } }), listed)
  })
})

describe('onboarding', () => {
  test('shows each step from registration to a verified company with MFA', async () => {
    const person = await signUp(server, 'starter')
    const steps = async () => (await as(person).readOnboarding()).steps
    const none = {
      emailConfirmed: true,
      companyCreated: false,
      companyVerified: false,
      mfaEnabled: false,
      walletCreated: false,
      identityCreated: false,
    }
    assert.deepEqual(await steps(), none)
    const company = await foundCompany(server, person)
    assert.deepEqual(await steps(), { ...none, companyCreated: true })
    await verifyCompany(server, await signUpOperator(server), company.id)
    assert.deepEqual(await steps(), { ...none, companyCreated: true, companyVerified: true })
    await enableMfa(server, person)
    const done = { ...none, companyCreated: true, companyVerified: true, mfaEnabled: true }
    assert.deepEqual(await as(person).readOnboarding(), { userId: person.id, steps: done, completed: false })
  })

  test('can be read by user id by the user and by operators; other callers get not_found', async () => {
    const [person, stranger] = [await signUp(server, 'by-id'), await signUp(server, 'by-another-id')]
    const operator = await signUpOperator(server)
    const params = { id: person.id }
    const own = await as(person).readOnboarding()
    assert.deepEqual(await as(person).readOnboardingOfUser({ params }), own)
    assert.deepEqual(await as(operator).readOnboardingOfUser({ params }), own)
    await assertRefused(as(stranger).readOnboardingOfUser({ params }), 'not_found')
    await assertRefused(as(operator).readOnboardingOfUser({ params: { id: someId } }), 'not_found')
  })
})
