import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Identity, Mode, RawTransaction } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newLiveOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, startTestServer, type TestServer } from '../../../../test/test-server.ts'

const coinType = 822 as const

type Asset = Readonly<Record<string, string>>

let server: TestServer
/** A reviewed company with a public identity, which may do everything in live mode. */
let owner: Owner
let mill: Client
let identity: Identity

before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_LEDGER_OPEN: 'test,live' } })
  owner = await newLiveOwner(server, 'insider')
  mill = server.client(owner.admin.accessToken)
  identity = await newIdentity(mill, owner.company.id, 'live')
  await publishIdentity(mill, { company: owner.company.id, identity, mode: 'live' })
})
after(() => server[Symbol.asyncDispose]())

const company = () => owner.company.id
const build = (asset: Asset, mode: Mode = 'live'): Promise<RawTransaction> => {
  const owners = [identity.publicKey]
  const createOptions = {
    asset: { ...asset },
    metadata: null,
    issuers: owners,
    recipients: [{ publicKeys: owners, amount: '1' }],
  }
  const body = { coinType, bcdbOptions: { operation: 'CREATE' as const, createOptions } }
  return mill.buildTransaction({ company: company(), query: { mode }, body })
}
const send = (body: unknown, mode: Mode = 'live') =>
  mill.sendTransaction({ company: company(), query: { mode, coinType }, body: body as never })
const signing = () => ({ mode: 'live', identity: identity.id, type: 'transparent' }) as const
const post = (body: object, { mode = 'live', write = 'commit' }: { mode?: Mode; write?: string } = {}) =>
  fetch(`${server.url}/ledger/${mode}/api/v1/transactions?mode=${write}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })

/** All ways to name a file: whole, in part, with another type, or as what is no hash yet. */
const assets = (): readonly Asset[] => {
  const { jsonHash, pdfHash, schema } = certificateAsset()
  return [
    { jsonHash, pdfHash, schema },
    { jsonHash },
    { pdfHash },
    { type: 'identity', did: identity.did ?? '', company: 'Mill', pdfHash },
    { type: 'correction', action: 'revoke-key', did: identity.did ?? '', reason: 'x', jsonHash },
    { jsonHash: jsonHash.toUpperCase() },
  ]
}

const roads: Readonly<Record<string, (asset: Asset) => Promise<string>>> = {
  'sign with a key of the service': async (asset) => {
    const body = await build(asset)
    return said(await refusal(mill.signTransaction({ company: company(), query: signing(), body })))
  },
  'sign in part with a key of the service': async (asset) => {
    const body = await build(asset)
    return said(await refusal(mill.partialSignTransaction({ company: company(), query: signing(), body })))
  },
  'send what another key signed': async (asset) =>
    said(await refusal(send(makeLedgerSigner().create(asset)))),
  ...Object.fromEntries(
    ['async', 'sync', 'commit'].map((write) => [
      `the BigchainDB interface, ${write}`,
      async (asset: Asset) => {
        const response = await post(makeLedgerSigner().create(asset), { write })
        assert.equal(response.status, 400)
        return ((await response.json()) as { message: string }).message
      },
    ]),
  ),
}

const said = ({ status, answer }: Awaited<ReturnType<typeof refusal>>): string => {
  assert.equal(status, 400)
  return String(answer?.details)
}

describe('in live mode, the hash of a file is recorded by a notarization only', () => {
  for (const [name, refused] of Object.entries(roads))
    test(`not by: ${name}`, async () => {
      for (const asset of assets()) {
        const field = asset['jsonHash'] === undefined ? 'pdfHash' : 'jsonHash'
        const words = `/asset/data/${field} is recorded in live mode only by a notarization`
        const answer = await refused(asset)
        assert.ok(answer.startsWith(words), answer)
        assert.match(answer, /submit it to POST \/certificates\/notarize$/)
        await assertAbsent(asset[field] ?? '')
      }
    })

  test('nor by a transfer, or metadata, which no verification reads', async () => {
    const { jsonHash, pdfHash } = certificateAsset()
    const signer = makeLedgerSigner()
    const created = signer.create({ heat: randomUUID() }, { jsonHash, pdfHash })
    await send(created)
    assert.equal((await post(signer.transfer(created, signer.publicKey))).status, 202)
    for (const hash of [jsonHash, pdfHash]) await assertAbsent(hash)
  })

  test('nor on a network in place of the log', async () => {
    await using network = await startTestServer()
    const operator = server.client((await signUpOperator(server)).accessToken)
    const query = { mode: 'live' } as const
    const [embedded] = await operator.listNodes({ query })
    const node = await operator.createNode({
      query,
      body: { name: 'Consortium', coinType, connectionUrl: `${network.url}/ledger/test` },
    })
    await operator.updateNode({ query, params: { id: node.id }, body: { status: 'active' } })
    for (const asset of assets()) await refusal(send(makeLedgerSigner().create(asset)))
    const sent = await send(makeLedgerSigner().create({ heat: randomUUID() }))
    assert.equal(sent.transaction.sent, true)
    await operator.updateNode({ query, params: { id: embedded?.id ?? '' }, body: { status: 'active' } })
    // Certificates are searched on it until then.
    await operator.deleteNode({ query, params: { id: node.id } })
  })

  test('and the notarization records it', async () => {
    const { state, hash } = await notarizeSample(mill, { company: company(), identity, mode: 'live' })
    assert.equal(state, 'notarized')
    const by = { params: { hash: hash.value }, query: { mode: 'live' } } as const
    assert.ok((await server.client().readProof(by)).entry.transaction.id)
  })

  test('while in test mode every road is open', async () => {
    const [whole = {}, json = {}] = assets()
    assert.equal((await send(makeLedgerSigner().create(whole), 'test')).transaction.kind, 'certificate')
    assert.equal((await post(makeLedgerSigner().create(certificateAsset()), { mode: 'test' })).status, 202)
    assert.ok('asset' in (await build(json, 'test')))
  })
})

const assertAbsent = async (hash: string): Promise<void> => {
  const by = { params: { hash: hash.toLowerCase() }, query: { mode: 'live' } } as const
  await assertRefused(server.client().readProof(by), 'not_found')
}
