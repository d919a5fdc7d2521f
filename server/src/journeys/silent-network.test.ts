import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../ports/database/database.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { newOwner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { openNetworkTo } from '../../test/silent-network.ts'
import { ownTimeMs } from '../../test/own-time.ts'

const answerWithinMs = 30_000
const atOnce = 20

describe('a network to the database that drops everything and closes nothing', () => {
  test('causes 503 within 30 seconds, and the service recovers by itself', async () => {
    await using database = await openTestDatabase()
    await using network = await openNetworkTo(database)
    await using server = await startTestServer({ databaseUrl: network.databaseUrl })
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
      const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(server, admin.accessToken)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503])
      const longestMs = Math.max(...answers.map(({ ms }) => ms))
      assert.ok(longestMs < answerWithinMs, `an answer took ${Math.round(longestMs)} ms`)
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

const ask = async ({ url }: TestServer, token: string): Promise<{ status: number; ms: number }> => {
  const startedMs = ownTimeMs()
  const response = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return { status: response.status, ms: ownTimeMs() - startedMs }
}
