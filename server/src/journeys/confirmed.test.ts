import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { type CosignedServer, startCosignedServer } from '../../test/cosigner.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { notarizeSample } from '../../test/offline.ts'
import { newIdentity } from '../../test/signers.ts'

describe('a certificate on a log with three cosigners, any two of whom are a quorum', () => {
  let opened: CosignedServer
  let mill: Owner
  let client: Client
  let identity: Identity
  before(async () => {
    opened = await startCosignedServer()
    mill = await newOwner(opened.server, 'confirmed-mill')
    client = opened.server.client(mill.admin.accessToken)
    identity = await newIdentity(client, mill.company.id)
  })
  after(() => opened[Symbol.asyncDispose]())

  const notarize = () => notarizeSample(client, { company: mill.company.id, identity })
  const read = (id: string): Promise<Certificate> =>
    client.readCertificate({ company: mill.company.id, params: { id } })
  const untilConfirmed = (id: string, by: readonly string[]): Promise<Certificate> =>
    eventually(
      async () => {
        const found = await read(id)
        return found.confirmedBy?.join() === by.join() && found
      },
      { what: `the certificate is confirmed by ${by.join()}` },
    )
  const all = ['inspector.example', 'association.example', 'mill-b.example']

  test('says when its entry was confirmed, and by whom', async () => {
    const { id } = await notarize()
    const { confirmedAt = '', timestamp = '', confirmedBy } = await untilConfirmed(id, all)
    assert.ok(confirmedAt >= timestamp, 'it is recorded first')
    const [listed] = await client.listCertificates({ company: mill.company.id, query: { mode: 'test' } })
    assert.deepEqual([listed?.confirmedAt, listed?.confirmedBy], [confirmedAt, confirmedBy])
    const life = await client.readCertificateLife({ company: mill.company.id, params: { id } })
    assert.deepEqual(life.confirmed, { at: confirmedAt, by: all })
  })

  test('is confirmed by the other two if one is down', async () => {
    opened.cosigners[0]?.stop()
    const { id } = await notarize()
    await untilConfirmed(id, all.slice(1))
    opened.cosigners[0]?.start()
  })

  test('is notarized without a quorum, and confirmed once there is one again', async () => {
    for (const cosigner of opened.cosigners) cosigner.stop()
    const { id, state, timestamp } = await notarize()
    assert.equal(state, 'notarized')
    const waiting = await read(id)
    assert.deepEqual([waiting.confirmedAt, waiting.confirmedBy], [undefined, undefined])
    const { confirmed, recorded } = await client.readCertificateLife({
      company: mill.company.id,
      params: { id },
    })
    assert.deepEqual([confirmed, recorded?.at], [undefined, timestamp])
    for (const cosigner of opened.cosigners) cosigner.start()
    await untilConfirmed(id, all)
  })
})
