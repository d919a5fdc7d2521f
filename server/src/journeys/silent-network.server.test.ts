import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../ports/database/database.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newOwner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { openNetworkTo } from '../../test/silent-network.ts'

const atOnce = 20

describe('a network to the database that drops everything and closes nothing', () => {
  test('causes 503, and the service recovers by itself', async () => {
    await using database = await openTestDatabase()
    await using network = await openNetworkTo(database)
    await using server = await startOwnServer({ databaseUrl: network.databaseUrl })
    const { admin, company } = await newOwner(server, 'far-away-mill')
    const client = server.client(admin.accessToken)
    const { id: identity } = await newIdentity(client, company.id)
    const notarize = async () => {
      const { jobId } = await client.notarizeCertificate({
        company: company.id,
        query: { mode: 'test', identity },
        document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
      })
      return endedNotarization(client, { company: company.id, jobId })
    }
    assert.equal((await notarize()).state, 'notarized')
    network.fallSilent()
    for (let round = 0; round < 2; round += 1) {
      // Without a deadline no answer would ever come.
      const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(server, admin.accessToken)))
      assert.deepEqual([...new Set(answers)], [503])
    }
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200)
    network.recover()
    const ended = await onceItWorks(notarize, { everyMs: 500 })
    assert.equal(ended.state, 'notarized')
    await eventually(async () => (await fetch(`${server.url}/api/ready`)).status === 200, { everyMs: 200 })
    await eventually(async () => (await unpublished(database)) === 0, {
      everyMs: 200,
    })
  })
})

/** Events that listeners over MQTT wait for. */
const unpublished = async ({ query }: Database): Promise<number> =>
  (await sql`select from outbox where published_at is null`.execute(query)).rows.length

const ask = async ({ url }: TestServer, token: string): Promise<number> => {
  const response = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}
