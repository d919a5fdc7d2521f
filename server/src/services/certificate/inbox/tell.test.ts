import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ReadInboxEntry } from '@millseal/contract'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { answered, deskEventsOf, deskOf, openSupplier, type Supplier } from '../../../../test/desk.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let supplier: Supplier
before(async () => {
  server = await startTestServer()
  supplier = await openSupplier(server, 'telling-mill')
})
after(() => server[Symbol.asyncDispose]())

const desk = (owner: Owner, seat?: Parameters<typeof deskOf>[2]) => deskOf(server, owner, seat)

describe('the issuer', () => {
  test('hears what was decided about its certificate, and why it was rejected, if it names the receiver', async () => {
    const buyer = await supplier.newReceiver('telling-buyer')
    const stranger = await newOwner(server, 'telling-stranger')
    const [named, other] = [
      await supplier.notarize(buyer, 'TOLD-1'),
      await supplier.notarize(undefined, 'TOLD-2'),
    ]
    const entry = await answered(server, buyer, named.id)
    const filed = await desk(stranger).file(other.text)
    const reason = 'Phosphorus is too high'
    await desk(buyer).decide({ ids: [entry.id], decision: 'acceptedWithConcession', reason: 'Our secret' })
    await desk(buyer).undo(entry.id)
    await desk(buyer).decide({ ids: [entry.id], decision: 'rejected', reason })
    await desk(stranger).decide({ ids: [filed.id], decision: 'rejected', reason: 'Unasked for' })
    const heard = await deskEventsOf(server, supplier.mill.company.id)
    assert.deepEqual(
      heard.map(({ action, payload }) => [action, payload.reason]),
      [
        ['accept_one', undefined],
        ['reopen_one', undefined],
        ['reject_one', reason],
      ],
    )
    assert.deepEqual(
      (await deskEventsOf(server, buyer.company.id)).map(({ payload }) => payload.reason),
      ['Our secret', undefined, reason],
    )
  })
})

describe('something accepted that is withdrawn later', () => {
  const accept = async (owner: Owner, text: string): Promise<ReadInboxEntry> => {
    const ours = desk(owner)
    await ours.require('Plate')
    const filed = await ours.file(text, { against: 'Plate' })
    await ours.decide({ ids: [filed.id], decision: 'accepted' })
    return filed
  }
  const alarmOf = (owner: Owner, id: string) =>
    eventually(async () => (await desk(owner).read(id)).alarm, { what: 'the alarm is raised' })

  test('raises an alarm once: in the list, as an event, and keeps the decision', async () => {
    const owner = await newOwner(server, 'alarmed-works')
    const { id, text } = await supplier.notarize(undefined, 'ALARM-1')
    const filed = await accept(owner, text)
    const params = { id }
    await supplier.client.withdrawCertificate({
      company: supplier.mill.company.id,
      params,
      body: { reason: 'Wrong heat' },
    })
    assert.equal((await alarmOf(owner, filed.id)).verdict, 'withdrawn')
    const entry = await desk(owner).read(filed.id)
    assert.deepEqual([entry.state, entry.verdict, entry.check?.verdict], ['accepted', 'withdrawn', 'pass'])
    assert.equal((await desk(owner).counts()).alarms, 1)
    const alarms = (await deskEventsOf(server, owner.company.id)).filter(
      ({ action }) => action === 'alarm_one',
    )
    assert.equal(alarms.length, 1)
    assert.equal(alarms[0]?.payload.verdict, 'withdrawn')
  })

  test('is not silent about a key that is revoked later', async () => {
    const owner = await newOwner(server, 'revoked-works')
    const inTest = { company: supplier.mill.company.id, query: { mode: 'test' } } as const
    const body = { coinType: 822, account: 1, wallet: supplier.identity.wallet } as const
    const key = await supplier.client.createIdentity({ ...inTest, body })
    await publishIdentity(supplier.client, { company: supplier.mill.company.id, identity: key })
    const { text } = await notarizeSample(supplier.client, {
      company: supplier.mill.company.id,
      identity: key,
    })
    const filed = await accept(owner, text)
    await supplier.client.revokeIdentity({
      ...inTest,
      params: { id: key.id },
      body: { reason: 'Stolen', since: '2026-01-01T00:00:00.000Z' },
    })
    assert.equal((await alarmOf(owner, filed.id)).verdict, 'revoked')
  })

  test('is mailed to the contacts of the company in live mode', async () => {
    const { mill, client } = supplier
    const owner = await newLiveOwner(server, 'mailed-works')
    const identity = await newIdentity(client, mill.company.id, 'live')
    const { id, text } = await notarizeSample(client, {
      company: mill.company.id,
      identity,
      mode: 'live',
      certificate: sampleCertificate({ number: 'MAILED-1' }),
    })
    const ours = desk(owner, { mode: 'live' })
    const filed = await ours.file(text)
    await ours.decide({ ids: [filed.id], decision: 'acceptedWithConcession', reason: 'Not load-bearing' })
    await client.withdrawCertificate({ company: mill.company.id, params: { id }, body: { reason: 'Wrong' } })
    const [mail = ''] = await server.mailsTo(owner.admin.email, 1, /MAILED-1/)
    const plain = mail.replaceAll(/=\r?\n/g, '')
    for (const said of ['Jetzt wurde es zur=C3=BCckgezogen', 'Not load-bearing', filed.id])
      assert.ok(plain.includes(said), said)
  })
})
