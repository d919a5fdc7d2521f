import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openHouse, type TestHouse } from '../../../../test/house.ts'
import { claimsOf, newApplication, newLiveOwner, newOwner, tokenOf } from '../../../../test/machines.ts'
import { enableMfa, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

let house: TestHouse
before(async () => {
  house = await openHouse()
})
after(() => house[Symbol.asyncDispose]())

describe('live applications', () => {
  test('ask for a verified company, then for MFA, and are out of reach until then in every way', async () => {
    const { admin, company, signInAgain } = await newOwner(house, 'impatient')
    const live = () => newApplication(house, { admin, company }, { mode: 'live' })
    await assertRefused(live(), 'company_unverified')
    await verifyCompany(house, await signUpOperator(house), company.id)
    const { status, answer } = await refusal(live())
    assert.equal(status, 403)
    assert.match(answer?.message ?? '', /MFA/)
    const nextCode = await enableMfa(house, admin)
    const created = await live()
    assert.equal(created.mode, 'live')
    assert.ok(nextCode() !== '')
    await assert.rejects(signInAgain(), /authenticator/)
  })

  test('can be read, changed, rotated and deleted only by members with MFA, and are left out of their lists else', async () => {
    const { admin, company } = await newLiveOwner(house, 'guarded')
    const live = await newApplication(house, { admin, company }, { mode: 'live' })
    const inTest = await newApplication(house, { admin, company }, { mode: 'test' })
    const colleague = await newOwner(house, 'colleague')
    await house
      .client(admin.accessToken)
      .addMember({ params: { id: company.id }, body: { email: colleague.admin.email, role: 'admin' } })
    const theirs = house.client(colleague.admin.accessToken)
    const one = { params: { id: live.id }, company: company.id }
    await assertRefused(theirs.readApplication(one), 'mfa_required')
    await assertRefused(theirs.updateApplication({ ...one, body: { name: 'mine' } }), 'mfa_required')
    await assertRefused(theirs.rotateApplicationSecret(one), 'mfa_required')
    await assertRefused(theirs.deleteApplication(one), 'mfa_required')
    await assertRefused(
      theirs.listApplications({ company: company.id, query: { mode: 'live' } }),
      'mfa_required',
    )
    const seen = await theirs.listApplications({ company: company.id })
    assert.deepEqual(
      seen.map(({ id }) => id),
      [inTest.id],
    )
    const all = await house.client(admin.accessToken).listApplications({ company: company.id })
    assert.deepEqual(
      all.map(({ id }) => id),
      [inTest.id, live.id],
    )
  })

  test('get tokens of their mode', async () => {
    const owner = await newLiveOwner(house, 'exporter')
    const live = await newApplication(house, owner, { mode: 'live' })
    assert.equal(claimsOf(await tokenOf(house, live))['mode'], 'live')
  })
})
