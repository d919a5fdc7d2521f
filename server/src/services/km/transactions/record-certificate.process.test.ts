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
import { serveLedger } from '../../../../test/ledger-face.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner } from '../../../../test/machines.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { eventsOf } from '../../../../test/traces.ts'
import { generousDeadline } from '../../../../test/eventually.ts'
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
  signal: generousDeadline(),
})

const transactionsOf = ({ client, company }: Issuer) =>
  client.listTransactions({ company: company.id, query: { mode: 'test' } })

const traces = async (issuer: Issuer, ledgerId: string) => {
  const all = await eventsOf(server, issuer.company.id)
  const events = all.filter(({ topic }) => topic.includes('/transactions/'))
  const own = (await transactionsOf(issuer)).filter(({ transactionId }) => transactionId === ledgerId)
  return {
    rows: own.length,
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
  return reason instanceof Problem ? reason.code : assert.fail(`not a Problem: ${String(reason)}`)
}

describe('recording a certificate', () => {
  test('makes it findable by both hashes, with issuer, index and inclusion proof', async () => {
    const asset = certificateAsset()
    const record = await km.service.record(requestOf(mill, asset))
    assert.deepEqual([record.isNew, record.issuerPublicKey], [true, mill.identity.publicKey])
    assert.ok(record.transaction.operation === 'CREATE')
    assert.deepEqual(record.transaction.asset.data, asset)
    for (const hash of [asset.jsonHash, asset.pdfHash]) {
      const found = await km.service.findRecord({ mode: 'test', hash })
      assert.deepEqual(found, { ...record, isNew: false })
      assert.equal(await km.service.findRecord({ mode: 'live', hash }), undefined)
    }
    const { transactionId } = record
    assert.deepEqual(await km.service.findTransaction({ mode: 'test', transactionId }), record.transaction)
    const evidence = await km.service.proveRecords({
      mode: 'test',
      transactionIds: [transactionId],
      subjects: [],
    })
    assert.equal(evidence?.entries[0]?.index, record.index)
    assert.deepEqual(await traces(mill, transactionId), { rows: 1, events: [] })
  })

  test('30 times at once in two processes creates one entry and one row', async () => {
    await using second = await openKmService(server)
    const request = requestOf(mill)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? km : second).service.record(request)),
    )
    assert.equal(new Set(answers.map(({ index }) => index)).size, 1)
    assert.ok(answers.every(({ isNew }) => isNew))
    const { transactionId = '' } = answers[0] ?? {}
    assert.deepEqual(await traces(mill, transactionId), { rows: 1, events: [] })
  })

  test('continues after a crash between ledger and database if it is called again', async () => {
    const request = requestOf(mill)
    await executeIn(
      server,
      `create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$;
       create trigger die before insert on transactions for each row execute function die();`,
    )
    await assert.rejects(km.service.record(request), /died/)
    const hash = request.asset['jsonHash'] ?? ''
    const taken = await km.service.findRecord({ mode: 'test', hash })
    await executeIn(server, 'drop trigger die on transactions; drop function die();')
    const record = await km.service.record(request)
    assert.deepEqual(record, { ...taken, isNew: true })
    assert.deepEqual(await traces(mill, record.transactionId), { rows: 1, events: [] })
  })

  test('returns the existing entry of any company and stores nothing', async () => {
    const asset = certificateAsset()
    const first = await km.service.record(requestOf(mill, asset))
    const later = { ...requestOf(mill, asset), metadata: { timestamp: '2026-02-02T00:00:00.000Z' } }
    for (const request of [later, requestOf(other, asset)]) {
      assert.deepEqual(await km.service.record(request), { ...first, isNew: false })
    }
    assert.deepEqual(await transactionsOf(other), [])
    assert.equal((await traces(mill, first.transactionId)).rows, 1)
  })

  test('stores nothing on the ledger if the use of the key cannot be written to the audit log', async () => {
    const request = requestOf(mill)
    await executeIn(
      server,
      `create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$;
       create trigger die before insert on audit_log for each row execute function die();`,
    )
    await assert.rejects(km.service.record(request), /died/)
    await executeIn(server, 'drop trigger die on audit_log; drop function die();')
    const hash = request.asset['jsonHash'] ?? ''
    assert.equal(await km.service.findRecord({ mode: 'test', hash }), undefined)
    assert.equal((await km.service.record(request)).isNew, true)
  })

  test('marks a transaction as sent that the company has signed by hand before', async () => {
    const { client, company, identity } = mill
    const { asset, metadata, ...request } = requestOf(mill)
    const key = identity.publicKey
    const recipients = [{ publicKeys: [key], amount: '1' }]
    const createOptions = { asset, metadata, issuers: [key], recipients }
    const body = await client.buildTransaction({
      company: company.id,
      query: { mode: 'test' },
      body: { coinType: 822, bcdbOptions: { operation: 'CREATE', createOptions } },
    })
    const query = { mode: 'test', identity: identity.id, type: 'transparent' } as const
    const signed = await client.signTransaction({ company: company.id, query, body })
    assert.equal(signed.transaction.sent, false)
    const { transactionId } = await km.service.record({ asset, metadata, ...request })
    assert.deepEqual(await traces(mill, transactionId), { rows: 1, events: ['sign', 'send'] })
  })

  test('returns the entry of an inactive network, with the time that its issuer claims', async () => {
    await using network = await serveLedger()
    const signer = makeLedgerSigner()
    const times = [{ timestamp: '2025-05-05T05:05:05.000Z' }, { timestamp: 'yesterday' }, { timestamp: 5 }]
    const entries = times.map((metadata) => signer.create(certificateAsset(), metadata))
    for (const entry of entries) await network.ledger.submit(entry)
    const operator = server.client((await signUpOperator(server)).accessToken)
    const query = { mode: 'test' } as const
    const node = await operator.createNode({
      query,
      body: { name: 'inactive network', coinType: 822, connectionUrl: network.url },
    })
    server.clock.advance({ seconds: 2 })
    const now = server.clock.now()
    const claimed = Date.parse('2025-05-05T05:05:05.000Z')
    for (const [at, { id, asset }] of entries.entries()) {
      const certificate =
        'data' in asset ? (asset.data as ReturnType<typeof certificateAsset>) : assert.fail()
      const record = await km.service.record(requestOf(mill, certificate))
      assert.deepEqual(
        [record.isNew, record.transactionId, record.issuerPublicKey],
        [false, id, signer.publicKey],
      )
      const timeMs = record.timestamp.getTime()
      assert.ok(at === 0 ? timeMs === claimed : timeMs >= now && timeMs <= server.clock.now())
    }
    await operator.deleteNode({ query, params: { id: node.id } })
    server.clock.advance({ seconds: 2 })
  })

  test('needs an identity that can sign in this mode', async () => {
    const key = { identityId: mill.identity.id, companyId: mill.company.id, mode: 'test' } as const
    const { id, publicKey } = mill.identity
    const found = await km.service.findSigningIdentity(key)
    assert.deepEqual([found.id, found.publicKey, found.did], [id, publicKey, mill.identity.did])
    assert.deepEqual(Object.keys(found).toSorted(), ['companyId', 'did', 'id', 'mode', 'publicKey'])
    assert.equal(
      await codeOf(km.service.findSigningIdentity({ ...key, mode: 'live' })),
      'identity_not_usable',
    )
    assert.equal(
      await codeOf(km.service.findSigningIdentity({ ...key, companyId: other.company.id })),
      'not_found',
    )
    assert.equal(await codeOf(km.service.record({ ...requestOf(mill), mode: 'live' })), 'identity_not_usable')
  })

  test('names the company of a key only after the identity was published', async () => {
    const by = { mode: 'test', publicKey: other.identity.publicKey } as const
    assert.equal(await km.service.findIssuer(by), undefined)
    await other.client.notarizeIdentity({
      company: other.company.id,
      query: { mode: 'test' },
      params: { identityId: other.identity.id },
    })
    const { publicationId: transactionId = '', ...known } =
      (await km.service.findIssuer(by)) ?? assert.fail('not public')
    const { id, name, vatId } = other.company
    assert.deepEqual(known.reviews, [])
    assert.deepEqual(known.identity, {
      id: other.identity.id,
      publicKey: other.identity.publicKey,
      did: other.identity.did,
      company: { id, name, vatId },
    })
    const published = await km.service.findTransaction({ mode: 'test', transactionId })
    assert.ok(published?.operation === 'CREATE')
    assert.deepEqual(published.asset.data, {
      type: 'identity',
      did: other.identity.did,
      publicKey: other.identity.publicKey,
      company: name,
      vatId,
    })
    assert.equal(await km.service.findIssuer({ ...by, mode: 'live' }), undefined)
  })

  test('is unavailable without an active node, and succeeds with the same call when there is one', async () => {
    const operator = server.client((await signUpOperator(server)).accessToken)
    const query = { mode: 'test' } as const
    const [embedded] = await operator.listNodes({ query })
    const params = { id: embedded?.id ?? '' }
    const request = requestOf(mill)
    await operator.updateNode({ query, params, body: { status: 'inactive' } })
    server.clock.advance({ seconds: 2 })
    assert.equal(await codeOf(km.service.record(request)), 'unavailable')
    await operator.updateNode({ query, params, body: { status: 'active' } })
    server.clock.advance({ seconds: 2 })
    assert.equal((await km.service.record(request)).isNew, true)
  })

  test('signs nothing if the wallet is wiped while other networks are searched', async (t) => {
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
    t.after(() => wiping.close())
    await once(wiping.listen(0, '127.0.0.1'), 'listening')
    const { port } = wiping.address() as AddressInfo
    const node = await operator.createNode({
      query,
      body: { name: 'former network', coinType: 822, connectionUrl: `http://127.0.0.1:${port}` },
    })
    server.clock.advance({ seconds: 2 })
    const request = requestOf(leaver)
    assert.equal(await codeOf(km.service.record(request)), 'identity_not_usable')
    await operator.deleteNode({ query, params: { id: node.id } })
    server.clock.advance({ seconds: 2 })
    assert.equal(
      await km.service.findRecord({ mode: 'test', hash: request.asset['jsonHash'] ?? '' }),
      undefined,
    )
  })

  test('is measured: its duration and the size of the log', async () => {
    const { index = 0 } = await km.service.record(requestOf(mill))
    const text = await km.metrics.metrics()
    assert.match(
      text,
      /millseal_ledger_append_seconds_count\{mode="test",kind="embedded",outcome="new"\} \d+/,
    )
    assert.match(text, new RegExp(`millseal_ledger_entries\\{mode="test"\\} ${index + 1}\\n`))
  })
})
