import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Company } from '@millseal/contract'
import { foundCompany, type Person, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let owner: Person
let operator: Person
let company: Company
before(async () => {
  server = await startTestServer()
  owner = await signUp(server, 'owner')
  operator = await signUpOperator(server)
  company = await foundCompany(server, owner)
  server.clock.advance({ seconds: 1 })
  await verifyCompany(server, operator, company.id)
})
after(() => server[Symbol.asyncDispose]())

const list = (query: object = {}) => server.client(operator.accessToken).listAuditEntries({ query })
const actions = async (query: object) => (await list(query)).map(({ action }) => action)

test('an operator reads who did what, newest first, by every filter', async () => {
  const [review] = await list({ company: company.id })
  assert.ok(review)
  assert.deepEqual(
    [review.action, review.actor, review.actorName, review.subject, review.details['decision']],
    ['companies.review', `user:${operator.id}`, operator.username, `company:${company.id}`, 'verified'],
  )
  const both = ['companies.review', 'companies.create']
  assert.deepEqual(await actions({ company: company.id }), both)
  assert.deepEqual(await actions({ subject: `company:${company.id}` }), both)
  assert.deepEqual(await actions({ company: company.id, actor: `user:${owner.id}` }), ['companies.create'])
  assert.deepEqual(await actions({ company: company.id, action: 'companies.review' }), ['companies.review'])
  const rest = await actions({ company: company.id, exceptAction: 'companies.review' })
  assert.deepEqual(rest, ['companies.create'])
  assert.deepEqual(await actions({ company: company.id, to: review.at }), ['companies.create'])
  assert.deepEqual(await actions({ company: company.id, from: review.at }), ['companies.review'])
  assert.deepEqual(await actions({ company: company.id, limit: 1 }), ['companies.review'])
  assert.deepEqual(await actions({ company: company.id, after: review.id }), ['companies.create'])
  const [command] = await list({ actor: 'command' })
  assert.deepEqual([command?.action, command?.actorName], ['users.make_operator', undefined])
})

test('only operators read it, and a time that does not exist is refused', async () => {
  await assertRefused(server.client(owner.accessToken).listAuditEntries(), 'role_missing')
  await assertRefused(server.client().listAuditEntries(), 'unauthenticated')
  await assertRefused(list({ from: '2016-12-31T23:59:60Z' }), 'validation_failed')
})

test('an operator exports the entries by the same filters, as CSV and as lines of JSON', async () => {
  const as = ({ accessToken }: Person) => server.client(accessToken)
  const company_ = await foundCompany(server, owner, { name: '=1+1 "Mill", AG' })
  const query = { company: company_.id }
  const csv = await as(operator).exportAuditEntries({ query: { ...query, format: 'csv' } })
  const [header, line = '', rest] = (await csv.text()).split('\n')
  assert.equal(header, 'id,at,actor,action,subject,company,ipAddress,details')
  assert.match(line, /,companies\.create,/)
  assert.ok(line.includes('""name"":""=1+1 \\""Mill\\"", AG""'), line)
  assert.equal(rest, '')
  const json = await as(operator).exportAuditEntries({ query: { ...query, format: 'ndjson' } })
  const [entry] = await list(query)
  const { actorName: _, ...expected } = entry ?? assert.fail('no entry')
  assert.deepEqual(JSON.parse(await json.text()), expected)
  await assertRefused(as(owner).exportAuditEntries({ query: { format: 'csv' } }), 'role_missing')
})
