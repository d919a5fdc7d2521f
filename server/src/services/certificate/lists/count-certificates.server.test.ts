import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import { acceptCertificate } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { openMill, type OpenedMill } from '../mill.suite.ts'
import { claimOne } from '../notarizations/claimed.suite.ts'
import { endNotarizations } from '../notarizations/progress.store.ts'
import { insertReceivers } from '../certificates/receivers.store.ts'

let opened: OpenedMill
let server: TestServer
let deps: CertificateDependencies
let mill: Owner
let buyer: Owner
before(async () => {
  opened = await openMill('counting-mill')
  ;({ server, deps, mill } = opened)
  buyer = await newOwner(server, 'counting-buyer')
  await verifyCompany(server, await signUpOperator(server), buyer.company.id)
})
after(() => opened[Symbol.asyncDispose]())

const accept = (mode: 'test' | 'live' = 'test'): Promise<string> =>
  acceptCertificate(deps, {
    companyId: mill.company.id,
    identityId: mill.company.id,
    certificate: sampleCertificate(),
    mode,
  })

const end = async (id: string, state: 'notarized' | 'failed'): Promise<void> => {
  await claimOne(deps, id)
  const recorded = { transactionId: 'ab'.repeat(32), recordedAt: new Date() }
  const ended = state === 'failed' ? { id, state, error: 'no', reasons: null } : { id, state, ...recorded }
  await endNotarizations(deps.database.query, [ended], new Date())
}

const count = async ({ admin, company }: Owner, mode: 'test' | 'live' = 'test') => {
  const counts = await server
    .client(admin.accessToken)
    .countCertificates({ company: company.id, query: { mode } })
  return Object.fromEntries(Object.entries(counts).map(([state, of]) => [state, of.count]))
}

test('certificates are counted by state, mode and company', async () => {
  await accept()
  await claimOne(deps, await accept())
  for (let at = 0; at < 2; at += 1) await end(await accept(), 'failed')
  for (let at = 0; at < 3; at += 1) {
    const id = await accept()
    await end(id, 'notarized')
    if (at > 0)
      await insertReceivers(deps.database.query, [{ certificateId: id, companyId: buyer.company.id }])
  }
  await accept('live')
  const none = { awaitingRelease: 0, accepted: 0, running: 0, notarized: 0, failed: 0 }
  assert.deepEqual(await count(mill), { ...none, accepted: 1, running: 1, notarized: 3, failed: 2 })
  assert.deepEqual(await count(mill, 'live'), { ...none, accepted: 1 })
  assert.deepEqual(await count(buyer), { ...none, received: 2 })
  assert.deepEqual(await count(buyer, 'live'), { ...none, received: 0 })

  const all = (company: Owner, receivedSince?: string) =>
    server.client(company.admin.accessToken).readCounts({
      company: company.company.id,
      query: { mode: 'test', ...(receivedSince !== undefined && { receivedSince }) },
    })
  const exactly = (counted: number) => ({ count: counted, isExact: true })
  assert.deepEqual(await all(mill), { certificates: exactly(7), failingWebhooks: 0 })
  const received = { certificates: exactly(0), failingWebhooks: 0, received: exactly(2) }
  assert.deepEqual(await all(buyer, '2000-01-01T00:00:00Z'), received)
  assert.deepEqual((await all(buyer, '2100-01-01T00:00:00Z')).received, exactly(0))
})

test('a count beyond the limit is the limit, and not exact', async () => {
  const large = await newOwner(server, 'large-mill')
  // In parts, because one statement for all is slow enough for its timeout on a busy machine.
  const part = 20_000
  for (let from = 0; from <= limits.countedPerState; from += part)
    await sql`
    insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, summary, retained_until,
      created_at, updated_at)
    select gen_random_uuid(), ${large.company.id}, ${large.company.id}, 'test', 'failed', '', '', n::text, '{}', now(), now(), now()
    from generate_series(${from}::int, ${Math.min(from + part - 1, limits.countedPerState)}::int) as n`.execute(
      deps.database.query,
    )
  const counts = async () =>
    await server.client(large.admin.accessToken).countCertificates({
      company: large.company.id,
      query: { mode: 'test' },
    })
  assert.deepEqual((await counts()).failed, { count: limits.countedPerState, isExact: false })
  await sql`delete from certificates where id = (
    select id from certificates where company_id = ${large.company.id} limit 1)`.execute(deps.database.query)
  assert.deepEqual((await counts()).failed, { count: limits.countedPerState, isExact: true })
})
