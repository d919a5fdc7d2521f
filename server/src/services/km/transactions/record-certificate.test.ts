import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Company, Identity } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { executeIn } from '../../../../test/execute-in.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { openKmService, type SecondKmService } from '../../../../test/km-service.ts'
import { certificateAsset } from '../../../../test/ledger-signer.ts'
import { newOwner } from '../../../../test/machines.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { eventsOf } from '../../../../test/traces.ts'
import { Problem } from '../../../lib/problem.ts'
import type { RecordRequest } from '../index.ts'

type Issuer = { readonly client: Client; readonly company: Company; readonly identity: Identity }

let server: TestServer
let km: SecondKmService
let mill: Issuer
let other: Issuer

const settle = async (username: string): Promise<Issuer> => {
  const { admin, company } = await newOwner(server, username)
  const client = server.client(admin.accessToken)
  return { client, company, identity: await newIdentity(client, company.id) }
}

before(async () => {
  server = await startTestServer()
  km = await openKmService(server)
  mill = await settle('recording-mill')
  other = await settle('other-recorder')
})
after(async () => {
  await km[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const requestOf = ({ company, identity }: Issuer, asset = certificateAsset()): RecordRequest => ({
  mode: 'test',
  companyId: company.id,
  identityId: identity.id,
  asset,
  metadata: { timestamp: '2026-01-01T00:00:00.000Z' },
  signal: AbortSignal.timeout(30_000),
})

const traces = async ({ client, company }: Issuer, ledgerId: string) => {
  const records = await client.listTransactions({ company: company.id, query: { mode: 'test' } })
  const events = (await eventsOf(server, company.id)).filter(({ topic }) => topic.includes('/transactions/'))
  const own = records.filter(({ transactionId }) => transactionId === ledgerId)
  return {
    records: own.length,
    events: events
      .filter(({ payload }) => own.some(({ id }) => id === (payload as { id: string }).id))
      .map(({ topic }) => topic.split('/').at(-1)),
  }
}

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const reason: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  return reason instanceof Problem ? reason.code : assert.fail(`no problem: ${String(reason)}`)
}

describe('recording a certificate', () => {
  test('is found by both hashes, with its issuer, its place and a proof', async () => {
    const asset = certificateAsset()
    const record = await km.room.record(requestOf(mill, asset))
    assert.deepEqual([record.isNew, record.issuerPublicKey], [true, mill.identity.publicKey])
    assert.ok(record.transaction.operation === 'CREATE')
    assert.deepEqual(record.transaction.asset.data, asset)
    for (const hash of [asset.jsonHash, asset.pdfHash]) {
      const found = await km.room.findRecord({ mode: 'test', hash })
      assert.deepEqual(found, { ...record, isNew: false })
      assert.equal(await km.room.findRecord({ mode: 'live', hash }), undefined)
    }
    const { transactionId } = record
    assert.deepEqual(await km.room.findTransaction({ mode: 'test', transactionId }), record.transaction)
    const evidence = await km.room.prove({ mode: 'test', transactionId })
    assert.equal(evidence?.index, record.index)
    assert.deepEqual(await traces(mill, transactionId), { records: 1, events: [] })
  })

  test('asked for 30 times at once in two processes gives one entry and one record', async () => {
    await using second = await openKmService(server)
    const request = requestOf(mill)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? km : second).room.record(request)),
    )
    assert.equal(new Set(answers.map(({ index }) => index)).size, 1)
    assert.ok(answers.every(({ isNew }) => isNew))
    const { transactionId = '' } = answers[0] ?? {}
    assert.deepEqual(await traces(mill, transactionId), { records: 1, events: [] })
  })

  test('that died after the ledger took it is finished by the same call, as if nothing had happened', async () => {
    const request = requestOf(mill)
    await executeIn(
      server,
      `create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$;
       create trigger die before insert on transactions for each row execute function die();`,
    )
    await assert.rejects(km.room.record(request), /died/)
    const hash = request.asset['jsonHash'] ?? ''
    const taken = await km.room.findRecord({ mode: 'test', hash })
    await executeIn(server, 'drop trigger die on transactions; drop function die();')
    const record = await km.room.record(request)
    assert.deepEqual(record, { ...taken, isNew: true })
    assert.deepEqual(await traces(mill, record.transactionId), { records: 1, events: [] })
  })

  test('that is there, from whomever, answers what is there and leaves no record', async () => {
    const asset = certificateAsset()
    const first = await km.room.record(requestOf(mill, asset))
    const later = { ...requestOf(mill, asset), metadata: { timestamp: '2026-02-02T00:00:00.000Z' } }
    for (const request of [later, requestOf(other, asset)]) {
      assert.deepEqual(await km.room.record(request), { ...first, isNew: false })
    }
    assert.deepEqual(await traces(other, first.transactionId), { records: 0, events: [] })
    assert.equal((await traces(mill, first.transactionId)).records, 1)
  })

  test('takes an identity that can sign there', async () => {
    const key = { identityId: mill.identity.id, companyId: mill.company.id, mode: 'test' } as const
    const { id, publicKey } = mill.identity
    const found = await km.room.findSigningIdentity(key)
    assert.deepEqual([found.id, found.publicKey, found.did], [id, publicKey, mill.identity.did])
    assert.deepEqual(Object.keys(found).toSorted(), ['companyId', 'did', 'id', 'mode', 'publicKey'])
    assert.equal(await codeOf(km.room.findSigningIdentity({ ...key, mode: 'live' })), 'identity_not_usable')
    assert.equal(
      await codeOf(km.room.findSigningIdentity({ ...key, companyId: other.company.id })),
      'not_found',
    )
    assert.equal(await codeOf(km.room.record({ ...requestOf(mill), mode: 'live' })), 'identity_not_usable')
  })

  test('names the company of a key only once that is public', async () => {
    const by = { mode: 'test', publicKey: other.identity.publicKey } as const
    assert.equal(await km.room.findPublicIdentity(by), undefined)
    await other.client.notarizeIdentity({
      company: other.company.id,
      query: { mode: 'test' },
      params: { identityId: other.identity.id },
    })
    const { transactionId = '', ...known } =
      (await km.room.findPublicIdentity(by)) ?? assert.fail('not public')
    const { id, name, vatId } = other.company
    assert.deepEqual(known, {
      id: other.identity.id,
      publicKey: other.identity.publicKey,
      did: other.identity.did,
      company: { id, name, vatId },
    })
    const published = await km.room.findTransaction({ mode: 'test', transactionId })
    assert.ok(published?.operation === 'CREATE')
    assert.deepEqual(published.asset.data, {
      type: 'identity',
      did: other.identity.did,
      publicKey: other.identity.publicKey,
      company: name,
      vatId,
    })
    assert.equal(await km.room.findPublicIdentity({ ...by, mode: 'live' }), undefined)
  })

  test('fails as unavailable without a ledger, and the same call succeeds when there is one', async () => {
    const operator = server.client((await signUpOperator(server)).accessToken)
    const query = { mode: 'test' } as const
    const [embedded] = await operator.listNodes({ query })
    const params = { id: embedded?.id ?? '' }
    const request = requestOf(mill)
    await operator.updateNode({ query, params, body: { status: 'inactive' } })
    server.clock.advance({ seconds: 2 })
    assert.equal(await codeOf(km.room.record(request)), 'unavailable')
    await operator.updateNode({ query, params, body: { status: 'active' } })
    server.clock.advance({ seconds: 2 })
    assert.equal((await km.room.record(request)).isNew, true)
  })

  test('signs nothing once the wallet was wiped, also where that happens while other networks are asked', async () => {
    const leaver = await settle('leaving-mill')
    const operator = server.client((await signUpOperator(server)).accessToken)
    const query = { mode: 'test' } as const
    const wiping = createServer((_request, response) => {
      const params = { id: leaver.identity.wallet ?? '' }
      leaver.client.wipeWallet({ company: leaver.company.id, query, params }).then(
        () => response.end('[]'),
        () => response.writeHead(500).end(),
      )
    })
    await once(wiping.listen(0, '127.0.0.1'), 'listening')
    const { port } = wiping.address() as AddressInfo
    const node = await operator.createNode({
      query,
      body: { name: 'former network', coinType: 822, connectionUrl: `http://127.0.0.1:${port}` },
    })
    server.clock.advance({ seconds: 2 })
    const request = requestOf(leaver)
    assert.equal(await codeOf(km.room.record(request)), 'identity_not_usable')
    wiping.close()
    await operator.deleteNode({ query, params: { id: node.id } })
    server.clock.advance({ seconds: 2 })
    assert.equal(await km.room.findRecord({ mode: 'test', hash: request.asset['jsonHash'] ?? '' }), undefined)
  })

  test('is measured: how long it took, and how long the log is', async () => {
    const { index = 0 } = await km.room.record(requestOf(mill))
    const text = await km.metrics.metrics()
    assert.match(
      text,
      /millseal_ledger_append_seconds_count\{mode="test",kind="embedded",outcome="new"\} \d+/,
    )
    assert.match(text, new RegExp(`millseal_ledger_entries\\{mode="test"\\} ${index + 1}\\n`))
  })
})
