import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newOwner } from '../../../../test/machines.ts'
import { startTestServer } from '../../../../test/test-server.ts'
import { openCertificateProcess } from '../../../../test/certificate-service.ts'
import { findStandings, standingKey } from './standing.store.ts'

test('each of many who ask at once learns what it is in its company, and nothing of a company that does not exist', async () => {
  await using server = await startTestServer()
  await using process = await openCertificateProcess(server)
  const { query } = process.deps.database
  const [one, other] = [await newOwner(server, 'standing-one'), await newOwner(server, 'standing-other')]
  const keyOf = (companyId: string, userId?: string): string => standingKey({ companyId, userId })
  const own = keyOf(one.company.id, one.admin.id)
  const foreign = keyOf(one.company.id, other.admin.id)
  const machine = keyOf(other.company.id)
  const found = await findStandings(query, [own, foreign, machine, keyOf(randomUUID(), one.admin.id)])
  const unverified = { verified: false, role: undefined }
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries([
      [own, { verified: false, role: 'admin' }],
      [foreign, unverified],
      [machine, unverified],
    ]),
  )
})
