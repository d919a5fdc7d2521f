import assert from 'node:assert/strict'
import { limits } from '@millseal/contract'
import { after, before, describe, test } from 'node:test'
import { foundCompany, type Person, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal, untilAvailable } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)

describe('creating a company', () => {
  test('is refused to a person who owns many that are not verified, until one is', async () => {
    const owner = await signUp(server, 'many-companies')
    const create = () => foundCompany(server, owner)
    const first = await create()
    for (let owned = 1; owned < limits.unverifiedCompaniesPerUser; owned += 1) await create()
    const refused = await refusal(create())
    assert.equal(refused.code, 'company_limit_reached')
    assert.match(refused.message, /You can own 20 companies that are not verified/)
    await verifyCompany(server, await signUpOperator(server), first.id)
    await create()
  })

  test('is refused to a person who owned many that are not verified and deleted them, for 30 days', async () => {
    const owner = await signUp(server, 'many-deleted')
    const create = () => foundCompany(server, owner)
    for (let founded = 0; founded < limits.unverifiedCompaniesPerUser; founded += 1)
      await as(owner).deleteCompany({ params: { id: (await create()).id } })
    assert.equal((await refusal(create())).code, 'company_limit_reached')
  })

  test('is never refused to the owner of a VAT id because others founded companies with it and deleted them', async () => {
    const [stranger, owner] = [await signUp(server, 'stranger'), await signUp(server, 'true-owner')]
    const vatId = freshVatId()
    for (let founded = 0; founded < limits.unverifiedCompaniesPerUser; founded += 1) {
      const { id } = await foundCompany(server, stranger, { vatId })
      await as(stranger).deleteCompany({ params: { id } })
    }
    await assertRefused(foundCompany(server, stranger, { vatId }), 'company_limit_reached')
    assert.equal((await foundCompany(server, owner, { vatId })).owner.id, owner.id)
  })

  test('is refused to a person with many that are not verified, also if all are created at once', async () => {
    const owner = await signUp(server, 'many-at-once')
    const calls = Array.from({ length: limits.unverifiedCompaniesPerUser + 5 }, () =>
      untilAvailable(() => foundCompany(server, owner)),
    )
    assert.deepEqual(await outcomesOf(calls), {
      ok: limits.unverifiedCompaniesPerUser,
      company_limit_reached: 5,
    })
  })
})
