import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { foundCompany, type Person, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { freshVatId } from '../../../../test/vat-ids.ts'
import {
  answerJson,
  type FakeVies,
  startFakeVies,
  verdict,
} from '../../../adapters/vat-registry/fake-vies.suite.ts'

let vies: FakeVies
let server: TestServer
let owner: Person
let operator: Person
before(async () => {
  vies = await startFakeVies()
  server = await startOwnServer({ environment: { MILLSEAL_VIES: vies.url } })
  owner = await signUp(server, 'queue-owner')
  operator = await signUpOperator(server)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await vies[Symbol.asyncDispose]()
})

const as = (person: Person) => server.client(person.accessToken)
const answer = async (path: string, person = operator) => {
  const response = await fetch(`${server.url}/api${path}`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  const rows = (await response.json()) as readonly { readonly id: string }[]
  return { total: response.headers.get('x-total-count'), ids: rows.map(({ id }) => id) }
}

describe('the queue of reviews', () => {
  test('has companies by state, with owner, address, evidence and history', async () => {
    const waiting = await foundCompany(server, owner)
    const verified = await foundCompany(server, owner)
    const rejected = await foundCompany(server, owner)
    await verifyCompany(server, operator, verified.id)
    await verifyCompany(server, operator, rejected.id)
    const params = { id: rejected.id }
    await as(operator).reviewCompany({ params, body: { decision: 'rejected', reason: 'Not theirs' } })
    const queue = async (state?: 'pending' | 'rejected' | 'verified') =>
      as(operator).listReviewQueue({ query: state === undefined ? {} : { state } })
    const [open] = await queue()
    assert.deepEqual(
      [open?.company.id, open?.state, open?.company.owner.email, open?.company.address.city, open?.reviews],
      [waiting.id, 'pending', owner.email, 'Steelton', []],
    )
    assert.deepEqual(open?.evidence, {
      vatId: waiting.vatId,
      format: 'valid',
      checkDigits: 'valid',
      register: 'unknown',
    })
    const [refused] = await queue('rejected')
    assert.deepEqual([refused?.company.id, refused?.state], [rejected.id, 'rejected'])
    assert.deepEqual(
      refused?.reviews.map(({ decision, reason }) => [decision, reason]),
      [
        ['rejected', 'Not theirs'],
        ['verified', undefined],
      ],
    )
    assert.deepEqual(
      (await queue('verified')).map(({ company, state }) => [company.id, state]),
      [[verified.id, 'verified']],
    )
    assert.equal((await answer('/companies/review-queue')).total, '1')
    const { total, ids } = await answer(`/companies/review-queue?state=rejected&text=${rejected.vatId}`)
    assert.deepEqual([total, ids.length], ['1', 1])
    assert.equal((await answer('/companies/review-queue?text=nobody')).total, '0')
  })

  test('has the answer of the register on request, or unknown if it does not answer', async () => {
    const [known, unknown] = [await foundCompany(server, owner), await foundCompany(server, owner)]
    vies.behave((response, question) =>
      answerJson(response, verdict(question, true, { name: 'ROLLING MILL GMBH', address: 'Ofenweg 1' })),
    )
    const evidence = await as(operator).readEvidence({ params: { id: known.id } })
    assert.deepEqual(
      [evidence.register, evidence.registeredName, evidence.vatId],
      ['valid', 'ROLLING MILL GMBH', known.vatId],
    )
    vies.behave((response) => void response.writeHead(500).end())
    const failed = await as(operator).readEvidence({ params: { id: unknown.id } })
    assert.deepEqual([failed.register, failed.registeredName], ['unknown', undefined])
    await assertRefused(as(owner).readEvidence({ params: { id: known.id } }), 'role_missing')
    await assertRefused(as(owner).listReviewQueue(), 'role_missing')
  })
})

describe('searching companies', () => {
  test('finds them by name, VAT id and e-mail addresses, also of members, and counts them', async () => {
    const vatId = freshVatId()
    const founder = await signUp(server, 'needle')
    const found = await foundCompany(server, founder, { name: 'Gießerei 100%_Süd', vatId })
    const params = { id: found.id }
    await as(founder).updateCompany({ params, body: { emails: ['office@foundry.example'] } })
    for (const text of ['gießerei', '100%_s', vatId.toLowerCase(), 'OFFICE@foundry', 'needle@example']) {
      const { total, ids } = await answer(`/companies?text=${encodeURIComponent(text)}`)
      assert.deepEqual([total, ids], ['1', [found.id]], text)
    }
    for (const text of ['100%x', '%', 'nothing-like-it']) {
      const { ids } = await answer(`/companies?text=${encodeURIComponent(text)}`)
      assert.equal(ids.includes(found.id), text === '%', text)
    }
    const byState = await answer(`/companies?review=pending&text=${vatId}`)
    assert.deepEqual(byState.ids, [found.id])
    assert.deepEqual((await answer(`/companies?review=verified&text=${vatId}`)).ids, [])
    const outsider = await signUp(server, 'searching-outsider')
    assert.deepEqual(await answer(`/companies?text=${vatId}`, outsider), { total: '0', ids: [] })
  })
})

describe('searching users', () => {
  test('finds them by username and address, status and role, and counts them', async () => {
    const person = await signUp(server, 'findable-person')
    const find = (query: string) => answer(`/users?${query}`)
    for (const query of ['text=INDABLE', 'text=findable-person@ex', 'text=findable&status=active&role=USER'])
      assert.deepEqual(await find(query), { total: '1', ids: [person.id] }, query)
    for (const query of ['text=findable&role=ADMIN', 'text=findable&status=inactive', 'text=find_ble'])
      assert.deepEqual(await find(query), { total: '0', ids: [] }, query)
    const { total, ids } = await find('role=ADMIN&limit=1')
    assert.deepEqual([Number(total) >= 1, ids.length], [true, 1])
  })
})
