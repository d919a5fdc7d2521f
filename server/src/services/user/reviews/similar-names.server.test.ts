import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Company } from '@millseal/contract'
import { auditOf } from '../../../../test/traces.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { outcomesOf, refusal } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'

let server: TestServer
let founder: Person
let operator: Person
before(async () => {
  server = await startOwnServer()
  founder = await signUp(server, 'founder')
  operator = await signUpOperator(server)
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Person) => server.client(person.accessToken)
const found = (name: string, vatId = freshVatId()) => foundCompany(server, founder, { name, vatId })
const verify = ({ id }: Company, acceptSimilarName?: boolean) =>
  as(operator).reviewCompany({ params: { id }, body: { decision: 'verified', acceptSimilarName } })
const reject = ({ id }: Company) =>
  as(operator).reviewCompany({ params: { id }, body: { decision: 'rejected', reason: 'Fraud' } })
const checkName = ({ id }: Company) => as(operator).checkCompanyName({ params: { id } })
const remove = ({ id }: Company) => as(founder).deleteCompany({ params: { id } })

describe('a company whose name readers confuse with that of a verified one', () => {
  test('is shown with the other one, and verified only by a deliberate act that the audit log keeps', async () => {
    const mill = await found('Acme Steel GmbH')
    await verify(mill)
    const double = await found('\u0391CME Stee1')
    const similar = [
      { id: mill.id, name: mill.name, vatId: mill.vatId, country: 'AT', state: 'verified' as const },
    ]
    assert.deepEqual(await checkName(double), { mixesAlphabets: true, similar })
    const queue = await as(operator).listReviewQueue({})
    assert.deepEqual(queue.find(({ company }) => company.id === double.id)?.nameCheck.similar, similar)

    const { status, code, answer } = await refusal(verify(double))
    assert.deepEqual([status, code], [422, 'similar_name'])
    assert.deepEqual(answer?.details, [`Acme Steel GmbH (VAT id ${mill.vatId}, AT) is verified or was`])
    assert.equal((await refusal(verify(double, false))).code, 'similar_name')
    assert.equal((await as(founder).readCompany({ params: { id: double.id } })).verified, false)

    await verify(double, true)
    const entry = (await auditOf(server, double.id)).at(-1)?.details
    assert.deepEqual((entry as { similarNames?: unknown }).similarNames, [mill.id])
  })

  test('is one also if the other is verified no longer, was deleted, or has another name now', async () => {
    const [ended, deleted, renamed] = [
      await found('Ended Works'),
      await found('Deleted Works'),
      await found('Renamed Works'),
    ]
    for (const company of [ended, deleted, renamed]) await verify(company)
    await reject(ended)
    await remove(deleted)
    await as(founder).updateCompany({ params: { id: renamed.id }, body: { name: 'Works of Today' } })
    for (const [name, other, state] of [
      ['ENDED Works Ltd', ended, 'ended'],
      ['Deleted Works, Inc.', deleted, 'deleted'],
      ['Renamed-Works', renamed, 'verified'],
      ['Works of Tоday', renamed, 'verified'],
    ] as const) {
      const { similar } = await checkName(await found(name))
      assert.deepEqual(
        similar.map(({ id, vatId, country, ...one }) => [id, vatId, country, one.state]),
        [[other.id, other.vatId, 'AT', state]],
        name,
      )
    }
  })

  test('is not one that nobody verified, itself, or a company that was deleted and founded again', async () => {
    await reject(await found('Lonely Works'))
    await found('Lonely Works')
    const mill = await found('Lonely Works')
    assert.deepEqual(await checkName(mill), { mixesAlphabets: false, similar: [] })
    await verify(mill)
    await reject(mill)
    await verify(mill)
    await remove(mill)
    await verify(await found('Lonely Works', mill.vatId))
  })

  test('is noticed also if both are verified at once', async () => {
    const twins = [await found('Twin Works'), await found('Twin-Works'), await found('TWIN WORKS')]
    assert.deepEqual(await outcomesOf(twins.map((twin) => verify(twin))), { ok: 1, similar_name: 2 })
  })
})

test('the acceptance belongs to a verification, and a check needs a company and an operator', async () => {
  const { id } = await found('Any Works')
  const body = { decision: 'rejected', reason: 'Fraud', acceptSimilarName: true } as const
  const { status, answer } = await refusal(as(operator).reviewCompany({ params: { id }, body }))
  assert.equal(status, 400)
  assert.deepEqual(answer?.details, ['/acceptSimilarName is only to verify a company'])
  const params = { id: crypto.randomUUID() }
  assert.equal((await refusal(as(operator).checkCompanyName({ params }))).code, 'not_found')
  assert.equal((await refusal(as(founder).checkCompanyName({ params: { id } }))).code, 'role_missing')
})
