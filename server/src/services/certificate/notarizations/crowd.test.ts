import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newOwner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer } from '../../../../test/test-server.ts'
import { createTurns } from '../../../lib/in-turn.ts'
import type { Admission } from './admission.ts'
import { acceptingTurns, notarize } from './notarize.ts'

describe('a crowd of certificates', () => {
  test('is accepted a few at once, so that the first have their answers before the last are begun', async () => {
    await using server = await startTestServer()
    await using process = await openCertificateProcess(server)
    const { deps } = process
    const mill = await newOwner(server, 'crowded-mill')
    const millIdentity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const admission: Admission = {
      async assertRoom() {
        begun += 1
        await gate.promise
      },
    }
    const admitting = { ...deps, admission, inTurn: createTurns(acceptingTurns) }
    const answers = Array.from({ length: acceptingTurns.atOnce + 4 }, () => {
      const call = {
        companyId: mill.company.id,
        principal: { kind: 'user', id: mill.admin.id },
        mode: 'test',
        signal: () => new AbortController().signal,
        client: { ip: '127.0.0.1' },
        query: { identity: millIdentity.id },
        body: { bytes: Buffer.from(JSON.stringify(sampleCertificate())) },
        commit: deps.database.transaction,
      }
      return notarize(admitting, call as unknown as Parameters<typeof notarize>[1])
    })
    await nextTurn()
    assert.equal(begun, acceptingTurns.atOnce)
    gate.resolve()
    for (const { isNewInstance } of await Promise.all(answers)) assert.ok(isNewInstance)
    assert.equal(begun, answers.length)
  })
})
