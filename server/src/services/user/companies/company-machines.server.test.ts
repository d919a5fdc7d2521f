import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ScopeObject } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { foundCompany } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'

let server: TestServer
let owner: Owner
before(async () => {
  server = await startOwnServer()
  owner = await newOwner(server, 'machinist')
})
after(() => server[Symbol.asyncDispose]())

const machine = async (of: Owner, ...actions: string[]): Promise<Client> => {
  const scopes: ScopeObject =
    actions.length === 0 ? { wallets: { actions: ['read_one'] } } : { companies: { actions } }
  return server.client(await tokenOf(server, await newApplication(server, of, { scopes })))
}

test('an application can read its own company with any scope, and no other company', async () => {
  const other = await foundCompany(server, owner.admin)
  const client = await machine(owner)
  assert.equal((await client.readCompany({ params: { id: owner.company.id } })).id, owner.company.id)
  await assertRefused(client.readCompany({ params: { id: other.id } }), 'not_found')
})

test('an application lists only its own company, even if its creator has more', async () => {
  const client = await machine(owner, 'read_many')
  assert.deepEqual(
    (await client.listCompanies()).map(({ id }) => id),
    [owner.company.id],
  )
  assert.deepEqual(await client.listCompanies({ query: { verified: true } }), [])
})

test('all other calls need their scope, and some remain reserved to users', async () => {
  const params = { id: owner.company.id }
  const without = await machine(owner, 'read_one')
  await assertRefused(without.listCompanies(), 'scope_missing')
  await assertRefused(without.validateVatId({ query: { vatId: 'ATU74488404' } }), 'scope_missing')
  await assertRefused(without.updateCompany({ params, body: { name: 'Machined' } }), 'scope_missing')
  await assertRefused(without.deleteCompany({ params }), 'scope_missing')
  const withAll = await machine(owner, 'read_one', 'update_one', 'validate_one')
  await assertRefused(withAll.listMembers({ params }), 'person_required')
  await assertRefused(withAll.reviewCompany({ params, body: { decision: 'verified' } }), 'person_required')
  const { vatId } = await withAll.validateVatId({ query: { vatId: 'atu74488404' } })
  assert.equal(vatId, 'ATU74488404')
})

test('an update by an application has the mode of its token and names the application in the audit log', async () => {
  const params = { id: owner.company.id }
  const client = await machine(owner, 'update_one')
  await client.updateCompany({ params, body: { name: 'Changed By Machine' } })
  const topics = (await eventsAbout(server, owner.company.id)).map(({ topic }) => topic)
  assert.ok(topics.includes(`company/${owner.company.id}/test/companies/update_one`))
  assert.match((await auditOf(server, owner.company.id)).at(-1)?.actor ?? '', /^application:/)
})

test('an application with the scope can delete its company, which deletes the application too', async () => {
  const mortal = await newOwner(server, 'mortal')
  const params = { id: mortal.company.id }
  const client = await machine(mortal, 'read_one', 'delete_one')
  assert.equal(await client.deleteCompany({ params }), mortal.company.id)
  await assertRefused(client.readCompany({ params }), 'token_invalid')
})
