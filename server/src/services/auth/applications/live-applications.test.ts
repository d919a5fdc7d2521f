import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { claimsOf, newApplication, newLiveOwner, newOwner, tokenOf } from '../../../../test/machines.ts'
import { enableMfa, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

describe('live applications', () => {
  test('ask for a verified company, then for MFA', async () => {
    const { admin, company, signInAgain } = await newOwner(server, 'impatient')
    const live = () => newApplication(server, { admin, company }, { mode: 'live' })
    await assertRefused(live(), 'company_unverified')
    await verifyCompany(server, await signUpOperator(server), company.id)
    const { status, answer } = await refusal(live())
    assert.equal(status, 403)
    assert.match(answer?.message ?? '', /MFA/)
    const nextCode = await enableMfa(server, admin)
    const created = await live()
    assert.equal(created.mode, 'live')
    assert.ok(nextCode() !== '')
    await assert.rejects(signInAgain(), /authenticator/)
  })

  test('can be read, changed, rotated and deleted only by members with MFA, and are not listed for others', async () => {
    const { admin, company } = await newLiveOwner(server, 'guarded')
    const live = await newApplication(server, { admin, company }, { mode: 'live' })
    const inTest = await newApplication(server, { admin, company }, { mode: 'test' })
    const colleague = await newOwner(server, 'colleague')
    await server
      .client(admin.accessToken)
      .addMember({ params: { id: company.id }, body: { email: colleague.admin.email, role: 'admin' } })
    const theirs = server.client(colleague.admin.accessToken)
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
    const all = await server.client(admin.accessToken).listApplications({ company: company.id })
    assert.deepEqual(
      all.map(({ id }) => id),
      [inTest.id, live.id],
    )
  })

  test('get tokens of their mode', async () => {
    const owner = await newLiveOwner(server, 'exporter')
    const live = await newApplication(server, owner, { mode: 'live' })
    assert.equal(claimsOf(await tokenOf(server, live))['mode'], 'live')
  })
})
