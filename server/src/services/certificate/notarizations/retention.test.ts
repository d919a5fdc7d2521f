import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { openTestDatabase } from '../../../../test/database.ts'
import { addressOf, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import type { Database } from '../../../ports/database/database.ts'
import { eraseBodies, insertCertificate } from './certificates.store.ts'
import { beginNotarization, endNotarization } from './progress.store.ts'

const dayMs = 86_400_000

let database: Database
let server: TestServer
let owner: Owner

before(async () => {
  database = await openTestDatabase()
  server = await startTestServer({ databaseUrl: addressOf(database) })
  owner = await newOwner(server, 'forgetful-mill')
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** As an accepted notarization leaves it; `end` is how it went on. */
const stored = async (
  end: 'running' | 'notarized' | 'failed',
): Promise<{ id: string; retainedUntil: Date }> => {
  const now = new Date(server.clock.now())
  const id = randomUUID()
  const retainedUntil = new Date(now.getTime() + limits.certificateRetentionDays * dayMs)
  await insertCertificate(
    database.query,
    {
      id,
      companyId: owner.company.id,
      identityId: randomUUID(),
      mode: 'test',
      refSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
      hash: randomUUID().replaceAll('-', '').repeat(2),
      summary: { buyerName: 'Bridge Works' },
      body: Buffer.from('{"secret":"of the trade"}'),
      retainedUntil,
    },
    now,
  )
  await beginNotarization(database.query, id, now)
  if (end === 'notarized') {
    const transactionId = 'ab'.repeat(32)
    await endNotarization(database.query, id, { state: end, transactionId, recordedAt: now }, now)
  }
  if (end === 'failed') await endNotarization(database.query, id, { state: end, error: 'no' }, now)
  return { id, retainedUntil }
}

describe('retention', () => {
  test('a body is there until its month is over, then it and what it said are gone; hash and state stay', async () => {
    const { id, retainedUntil } = await stored('notarized')
    const client = server.client(owner.admin.accessToken)
    const about = { company: owner.company.id, params: { id } }
    await eraseBodies(database.query, new Date(retainedUntil.getTime() - 1))
    assert.equal(await (await client.readCertificateJson(about)).text(), '{"secret":"of the trade"}')
    assert.ok((await eraseBodies(database.query, retainedUntil)) >= 1)
    await assertRefused(client.readCertificateJson(about), 'certificate_erased')
    const { state, hash, summary } = await client.readCertificate(about)
    assert.equal(state, 'notarized')
    assert.equal(hash.value.length, 64)
    assert.deepEqual(summary, {})
    assert.equal(await eraseBodies(database.query, retainedUntil), 0)
  })

  test('one that still runs keeps its body, however late; one that failed does not', async () => {
    const running = await stored('running')
    const failed = await stored('failed')
    await eraseBodies(database.query, new Date(running.retainedUntil.getTime() + dayMs))
    const client = server.client(owner.admin.accessToken)
    const read = (id: string) => client.readCertificateJson({ company: owner.company.id, params: { id } })
    assert.equal((await read(running.id)).size, 25)
    await assertRefused(read(failed.id), 'certificate_erased')
  })
})
