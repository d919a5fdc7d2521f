import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { foundCompany, type Person, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'

let server: TestServer
let operator: Person
before(async () => {
  server = await startTestServer()
  operator = await signUpOperator(server)
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)

const reject = (id: string) =>
  as(operator).reviewCompany({ params: { id }, body: { decision: 'rejected', reason: 'Not the owner' } })

const held = async (name: string) => {
  const [stranger, owner] = [await signUp(server, `${name}-stranger`), await signUp(server, `${name}-owner`)]
  const vatId = freshVatId()
  const { id } = await foundCompany(server, stranger, { vatId })
  return { id, vatId, stranger, owner, found: () => foundCompany(server, owner, { vatId }) }
}

describe('a VAT id that another company holds', () => {
  test('is refused until an operator has rejected that company, and says so', async () => {
    const { id, stranger, owner, found } = await held('squatted')
    const refused = await refusal(found())
    assert.equal(refused.code, 'company_exists')
    assert.match(refused.message, /not yours, ask the operator to reject it: you can then create yours/)
    await reject(id)
    const { id: created } = await found()
    assert.notEqual(created, id)
    assert.deepEqual(
      (await as(owner).listCompanies()).map((company) => company.id),
      [created],
    )
    assert.deepEqual(await as(stranger).listCompanies(), [])
    await verifyCompany(server, operator, created)
  })

  test('goes to one of many who found with it at once', async () => {
    const { id, vatId, owner } = await held('contested')
    const other = await signUp(server, 'contested-other')
    await reject(id)
    const outcomes = await outcomesOf(
      [owner, other, owner, other].map((person) => foundCompany(server, person, { vatId })),
    )
    assert.deepEqual(outcomes, { company_exists: 3, ok: 1 })
  })

  test('stays with a company that was ever verified, and with one that the person belongs to', async () => {
    const lapsed = await held('lapsed')
    await verifyCompany(server, operator, lapsed.id)
    await reject(lapsed.id)
    await assertRefused(lapsed.found(), 'company_exists')
    const own = await held('own')
    await reject(own.id)
    await assertRefused(foundCompany(server, own.stranger, { vatId: own.vatId }), 'company_exists')
    assert.equal((await as(own.stranger).listCompanies())[0]?.id, own.id)
  })
})
