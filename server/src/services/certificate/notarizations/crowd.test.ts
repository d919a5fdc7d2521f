import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readCertificate } from '@millseal/families'
import { sql } from 'kysely'
import { openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer } from '../../../../test/test-server.ts'
import type { Admission } from './admission.ts'
import { notarizeCall } from './notarize-call.suite.ts'
import { acceptingTurns, notarize, withTurns } from './notarize.ts'

const openCrowd = async () => {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startTestServer())
  const { deps } = opening.use(await openCertificateProcess(server))
  const mill = await newOwner(server, 'crowded-mill')
  const { id: identity } = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  const openNotarize = (admission: Admission) => {
    const admitting = { ...withTurns(deps), admission }
    return (certificate: object) => notarize(admitting, notarizeCall({ mill, identity, certificate }))
  }
  const opened = opening.move()
  return { deps, openNotarize, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

describe('a crowd of certificates', () => {
  test('is accepted a few at once, so that the first have their answers before the last are begun', async () => {
    await using crowd = await openCrowd()
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const admission: Admission = {
      async assertRoom() {
        begun += 1
        await gate.promise
      },
    }
    const submit = crowd.openNotarize(admission)
    const certificate = sampleCertificate()
    const answers = Array.from({ length: acceptingTurns.atOnce + 4 }, () => submit(certificate))
    await nextTurn()
    assert.equal(begun, acceptingTurns.atOnce)
    gate.resolve()
    const accepted = await Promise.all(answers)
    assert.ok(accepted.every(({ isNewInstance }) => isNewInstance))
    assert.equal(new Set(accepted.map(({ jobId }) => jobId)).size, 1, 'the same certificate has one job')
    assert.equal(begun, answers.length)
  })

  test('shares transactions, and each has its own answer and its own entry in the audit log', async () => {
    await using crowd = await openCrowd()
    const { query } = crowd.deps.database
    const submit = crowd.openNotarize({ async assertRoom() {} })
    const certificates = Array.from({ length: acceptingTurns.atOnce }, (_, place) =>
      sampleCertificate({ number: `CROWD-${place}` }),
    )
    const accepted = await Promise.all(certificates.map(submit))
    const hashes = certificates.map(
      (certificate) => readCertificate(Buffer.from(JSON.stringify(certificate))).hash,
    )
    assert.deepEqual(
      accepted.map(({ hash }) => hash?.value),
      hashes,
    )
    const ids = accepted.map(({ jobId = '' }) => jobId)
    const { rows } = await sql<{ transactions: number; rows: number }>`
      select count(distinct xmin::text)::int as transactions, count(*)::int as rows
      from certificates where id = any(${ids}::uuid[])`.execute(query)
    assert.equal(rows[0]?.rows, ids.length)
    assert.ok((rows[0]?.transactions ?? ids.length) < ids.length / 2, 'most of them shared one')
    const entries = await query.selectFrom('auditLog').select('subject').where('subject', 'in', ids).execute()
    assert.deepEqual(new Set(entries.map(({ subject }) => subject)), new Set(ids))
    assert.equal(entries.length, ids.length)
  })
})
