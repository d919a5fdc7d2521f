import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { randomUUID } from 'node:crypto'
import type { Company } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let mine: Company
let theirs: Company
let me: Person
let them: Person
before(async () => {
  server = await startOwnServer()
  me = await signUp(server, 'mine')
  them = await signUp(server, 'theirs')
  mine = await foundCompany(server, me)
  theirs = await foundCompany(server, them)
})
after(() => server[Symbol.asyncDispose]())

const everyCall = (client: Client, id: string): Record<string, () => Promise<unknown>> => ({
  read: () => client.readCompany({ params: { id } }),
  update: () => client.updateCompany({ params: { id }, body: { name: 'Not Yours' } }),
  delete: () => client.deleteCompany({ params: { id } }),
  reviews: () => client.listReviews({ params: { id } }),
  members: () => client.listMembers({ params: { id } }),
  add: () => client.addMember({ params: { id }, body: { email: me.email, role: 'admin' } }),
  promote: () => client.updateMember({ params: { id, userId: me.id }, body: { role: 'admin' } }),
  remove: () => client.removeMember({ params: { id, userId: them.id } }),
  leave: () => client.removeMember({ params: { id, userId: me.id } }),
  addByEmail: () => client.addMemberByEmail({ params: { id }, body: { member: me.email } }),
  removeByEmail: () => client.removeMemberByEmail({ params: { id }, body: { member: them.email } }),
})

test('every call about another company fails like one about a missing company, and changes nothing', async () => {
  const client = server.client(me.accessToken)
  for (const id of [theirs.id, randomUUID()]) {
    for (const call of Object.values(everyCall(client, id))) await assertRefused(call(), 'not_found')
  }
  const listed = (await client.listCompanies()).map(({ id }) => id)
  assert.deepEqual(listed, [mine.id])
  assert.deepEqual(await server.client(them.accessToken).readCompany({ params: { id: theirs.id } }), theirs)
  assert.deepEqual(await eventsAbout(server, theirs.id), [])
  assert.equal((await auditOf(server, theirs.id)).length, 1)
})

test('only operators can review companies, their own included', async () => {
  for (const { id } of [mine, theirs]) {
    const call = { params: { id }, body: { decision: 'verified' } } as const
    await assertRefused(server.client(me.accessToken).reviewCompany(call), 'role_missing')
  }
})

test('operators can read every company, and change only companies they belong to', async () => {
  const operator = server.client((await signUpOperator(server)).accessToken)
  const { read, reviews, members, ...changes } = everyCall(operator, theirs.id)
  for (const call of [read, reviews, members]) await call?.()
  for (const call of Object.values(changes)) await assertRefused(call(), 'not_found')
  assert.equal((await auditOf(server, theirs.id)).length, 1)
})

test('every call requires a token', async () => {
  for (const call of Object.values(everyCall(server.client(), mine.id))) {
    await assertRefused(call(), 'unauthenticated')
  }
})
