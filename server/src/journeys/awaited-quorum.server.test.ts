import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CertificateLife, Identity } from '@millseal/contract'
import { formatNoteKey, noteKey } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { type CosignedServer, startCosignedServer } from '../../test/cosigner.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { notarizeSample } from '../../test/offline.ts'
import { password } from '../../test/people.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { startOwnServer } from '../../test/test-server.ts'
import { readConfig } from '../config.ts'

const environment = { MILLSEAL_CONFIRM: 'quorum' }

describe('a service whose certificates are notarized once a quorum has confirmed them', () => {
  let opened: CosignedServer
  let mill: Owner
  let client: Client
  let identity: Identity
  before(async () => {
    opened = await startCosignedServer({ environment })
    mill = await newOwner(opened.server, 'awaiting-mill')
    client = opened.server.client(mill.admin.accessToken)
    identity = await newIdentity(client, mill.company.id)
  })
  after(() => opened[Symbol.asyncDispose]())

  const submit = async (): Promise<{ readonly id: string; readonly number: string }> => {
    const certificate = sampleCertificate()
    const { jobId = '' } = await client.notarizeCertificate({
      company: mill.company.id,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    })
    const { summary } = await client.readCertificate({ company: mill.company.id, params: { id: jobId } })
    return { id: jobId, number: summary?.identifier ?? '' }
  }
  const untilRecorded = (id: string): Promise<CertificateLife> =>
    eventually(
      async () => {
        const life = await client.readCertificateLife({ company: mill.company.id, params: { id } })
        return life.recorded !== undefined && life
      },
      { what: 'the certificate is recorded' },
    )
  const setQuorum = (isThere: boolean): void => {
    for (const cosigner of opened.cosigners)
      if (isThere) cosigner.start()
      else cosigner.stop()
  }

  test('says who confirmed each one that is notarized', async () => {
    const found = await notarizeSample(client, { company: mill.company.id, identity })
    assert.equal(found.state, 'notarized')
    assert.ok((found.confirmedBy ?? []).length >= 2)
    assert.ok((found.confirmedAt ?? '') >= (found.timestamp ?? ''))
  })

  test('records them without a quorum, mails nobody, and completes each once there is one again', async () => {
    setQuorum(false)
    const waiting = [await submit(), await submit(), await submit()]
    for (const { id, number } of waiting) {
      const { state, recorded, confirmed, completed, failed, mails } = await untilRecorded(id)
      assert.deepEqual(
        [state, confirmed, completed, failed, mails],
        ['running', undefined, undefined, undefined, []],
      )
      const certificate = await client.readCertificate({ company: mill.company.id, params: { id } })
      assert.deepEqual(
        [certificate.timestamp, certificate.transactionId],
        [recorded?.at, recorded?.transactionId],
      )
      assert.deepEqual(await opened.server.mailsTo(mill.admin.email, 0, new RegExp(number)), [])
    }
    setQuorum(true)
    for (const { id, number } of waiting) {
      const {
        state,
        timestamp,
        confirmedBy = [],
      } = await endedNotarization(client, {
        company: mill.company.id,
        jobId: id,
      })
      assert.equal(state, 'notarized')
      assert.equal(timestamp, (await untilRecorded(id)).recorded?.at)
      assert.ok(confirmedBy.length >= 2)
      assert.equal((await opened.server.mailsTo(mill.admin.email, 1, new RegExp(number))).length, 1)
    }
  })

  test('completes those that wait after a restart', async () => {
    setQuorum(false)
    const waiting = [await submit(), await submit()]
    const recorded = await Promise.all(waiting.map(({ id }) => untilRecorded(id)))
    await opened.server[Symbol.asyncDispose]()
    await using next = await opened.startAgain()
    const login = { username: mill.admin.username, password }
    const { accessToken } = await next.client().login({ body: login })
    client = next.client(accessToken)
    assert.equal((await untilRecorded(waiting[0]?.id ?? '')).state, 'running')
    setQuorum(true)
    for (const [at, { id, number }] of waiting.entries()) {
      const ended = await endedNotarization(client, { company: mill.company.id, jobId: id })
      assert.deepEqual(
        [ended.state, ended.transactionId],
        ['notarized', recorded[at]?.recorded?.transactionId],
      )
      assert.equal((await next.mailsTo(mill.admin.email, 1, new RegExp(number))).length, 1)
    }
  })
})

describe('MILLSEAL_CONFIRM=quorum', () => {
  test('is refused without cosigners', () => {
    assert.throws(
      () => readConfig(environment),
      /MILLSEAL_CONFIRM: quorum needs MILLSEAL_COSIGNERS, the file that says who confirms/,
    )
    assert.throws(() => readConfig({ MILLSEAL_CONFIRM: 'all' }), /MILLSEAL_CONFIRM: expected log or quorum/)
  })

  test('is refused with a policy that is about other logs', async () => {
    await using folder = await makeTemporaryFolder()
    const policy = join(folder.path, 'policy')
    const log = formatNoteKey(noteKey('other.example', new Uint8Array(32).fill(9), nodePrimitives))
    const vkey = 'inspection.example/w1+c51fdafc+BHEv6rcgphmI2NF0nliSZXOA8g8HSVl8OBnY7NxyS00P'
    await writeFile(policy, `log ${log}\nwitness w ${vkey} http://127.0.0.1:1\nquorum w\n`)
    await assert.rejects(
      startOwnServer({ environment: { ...environment, MILLSEAL_COSIGNERS: policy } }),
      /MILLSEAL_CONFIRM: quorum needs a policy for both logs, and MILLSEAL_COSIGNERS does not name the test log/,
    )
  })
})
