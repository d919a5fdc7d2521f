import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity, RawTransaction } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newLiveOwner, newOwner } from '../../../../test/machines.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'

type BigChain = Extract<RawTransaction, { inputs: unknown }>

let server: TestServer
let client: Client
let company: string
let first: Identity
let second: Identity

before(async () => {
  server = await startTestServer()
  const owner = await newOwner(server, 'transaction-owner')
  client = server.client(owner.admin.accessToken)
  company = owner.company.id
  const wallet = await client.createWallet({ company, query: { mode: 'test' }, body: {} })
  const create = (account: number) =>
    client.createIdentity({
      company,
      query: { mode: 'test' },
      body: { coinType: 822, account, wallet: wallet.id },
    })
  first = await create(0)
  second = await create(1)
})
after(() => server[Symbol.asyncDispose]())

const build = (bcdbOptions: object | undefined, coinType = 822) =>
  client.buildTransaction({
    company,
    query: { mode: 'test' },
    body: { coinType, bcdbOptions } as never,
  })

const asset = async (issuers: readonly string[], owners = issuers): Promise<BigChain> => {
  const built = await build({
    operation: 'CREATE',
    createOptions: {
      asset: { heat: crypto.randomUUID() },
      metadata: null,
      issuers,
      recipients: [{ publicKeys: owners, amount: '1' }],
    },
  })
  return ledgerShape(built)
}
const ledgerShape = (raw: RawTransaction | undefined): BigChain =>
  raw !== undefined && 'inputs' in raw ? raw : assert.fail('not a transaction of the ledger')

const sign = async (body: RawTransaction, identity: Identity, type = 'transparent'): Promise<BigChain> => {
  const signed = await client.signTransaction({
    company,
    query: { mode: 'test', identity: identity.id, type: type as 'transparent' },
    body,
  })
  return ledgerShape(signed.signedTx[0])
}
const partlySign = async (body: RawTransaction, identity: Identity): Promise<BigChain> =>
  ledgerShape(
    await client.partialSignTransaction({
      company,
      query: { mode: 'test', identity: identity.id, type: 'transparent' },
      body,
    }),
  )
const send = (body: RawTransaction, coinType: 822 | 100_000_000 = 822) =>
  client.sendTransaction({ company, query: { mode: 'test', coinType }, body })

const ethereum = {
  chain_id: 1,
  data: '0x',
  gas_limit: 21_000,
  gas_price: 1,
  nonce: 0,
  to: '0x0',
  tx_type: 0,
  value: 0,
}

describe('signing a transaction', () => {
  test('returns the same transaction and stores one row, however often it is repeated', async () => {
    const built = await asset([first.publicKey])
    const [one, other] = [await sign(built, first), await sign(built, first)]
    assert.deepEqual(one, other)
    const records = await client.listTransactions({ company, query: { mode: 'test' } })
    const fulfillment = one.inputs[0]?.fulfillment
    assert.ok(typeof fulfillment === 'string')
    const own = records.filter(({ fulfillments }) => fulfillments.includes(fulfillment))
    assert.deepEqual(
      own.map(({ signed, sent, transactionId }) => ({ signed, sent, transactionId })),
      [{ signed: true, sent: false, transactionId: undefined }],
    )
  })

  test('needs a signature of every owner, in any order; the last one makes it ready to send', async () => {
    const built = await asset([first.publicKey, second.publicKey])
    const { answer } = await refusal(sign(built, first))
    assert.deepEqual(answer?.details, [
      `/inputs/0 is missing the signature of ${second.publicKey}`,
      'If several owners must sign, use /transactions/partial-sign',
    ])
    const half = await partlySign(built, second)
    await assertRefused(send(half), 'transaction_invalid')
    await assertRefused(partlySign(half, second), 'transaction_invalid')
    const whole = await partlySign(half, first)
    assert.match(whole.id ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual((await sign(half, first)).id, whole.id)
    const { transaction } = await send(whole)
    assert.deepEqual(transaction.identities.toSorted(), [first.id, second.id].toSorted())

    const spend = await build({
      operation: 'TRANSFER',
      transferOptions: {
        metadata: null,
        recipients: [{ publicKeys: [first.publicKey], amount: '1' }],
        unspentOutputs: [{ txId: whole.id, outputIndex: 0 }],
      },
    })
    const spent = await partlySign(await partlySign(spend, first), second)
    assert.equal((await send(spent)).transaction.sent, true)
  })

  test('rejects an identity of another company, of the other mode, or without an input', async () => {
    const stranger = await newLiveOwner(server, 'live-stranger')
    const there = server.client(stranger.admin.accessToken)
    const theirs = await newIdentity(there, stranger.company.id, 'live')
    const built = await asset([first.publicKey])
    await assertRefused(sign(built, theirs), 'not_found')
    await assertRefused(sign(built, second), 'transaction_invalid')
    await assertRefused(
      there.signTransaction({
        company: stranger.company.id,
        query: { mode: 'test', identity: theirs.id, type: 'transparent' },
        body: built,
      }),
      'identity_not_usable',
    )
  })

  test('supports one signature type and one coin type', async () => {
    const built = await asset([first.publicKey])
    for (const type of ['opaque', 'stealth'])
      await assertRefused(sign(built, first, type), 'signature_type_unsupported')
    await assertRefused(sign(ethereum, first), 'coin_type_unsupported')
    await assertRefused(send(ethereum), 'coin_type_unsupported')
    await assertRefused(send(built, 100_000_000), 'coin_type_unsupported')
    await assertRefused(build(undefined, 100_000_000), 'coin_type_unsupported')
    await assertRefused(
      client.searchLedger({ company, query: { mode: 'test', coinType: 100_000_000, query: 'x' } }),
      'coin_type_unsupported',
    )
  })
})

describe('an invalid transaction', () => {
  const detailsOf = async (call: Promise<unknown>): Promise<string> => {
    const { status, answer } = await refusal(call)
    assert.equal(status, 400)
    return answer?.details.join('; ') ?? ''
  }

  test('is rejected with the reason when it is built', async () => {
    assert.match(await detailsOf(build(undefined)), /^\/bcdbOptions is required$/)
    assert.match(await detailsOf(build({ operation: 'CREATE' })), /\/bcdbOptions\/createOptions is required/)
    assert.match(
      await detailsOf(build({ operation: 'TRANSFER' })),
      /\/bcdbOptions\/transferOptions is required/,
    )
    const recipients = [{ publicKeys: [first.publicKey], amount: '1' }]
    const transfer = (txId: string, outputIndex: number) =>
      build({
        operation: 'TRANSFER',
        transferOptions: { metadata: null, recipients, unspentOutputs: [{ txId, outputIndex }] },
      })
    assert.match(await detailsOf(transfer('0'.repeat(64), 0)), /unspentOutputs\/0\/txId/)
    const { id } = await sign(await asset([first.publicKey]), first)
    assert.match(await detailsOf(transfer(id ?? '', 0)), /unspentOutputs\/0\/txId/)
    const { transaction } = await send(await sign(await asset([first.publicKey]), first))
    assert.match(
      await detailsOf(transfer(transaction.transactionId ?? '', 1)),
      /unspentOutputs\/0\/outputIndex is not an output of this transaction$/,
    )
    const create = (differences: object) =>
      build({
        operation: 'CREATE',
        createOptions: {
          asset: {},
          metadata: null,
          issuers: [first.publicKey],
          recipients,
          ...differences,
        },
      })
    assert.match(await detailsOf(create({ asset: { weight: 1.5 } })), /1\.5 is not a safe integer/)
    assert.match(await detailsOf(create({ asset: { 'a.b': 'c' } })), /Invalid key name "a\.b"/)
    assert.match(await detailsOf(create({ issuers: ['not-a-public-key'] })), /not-a-public-key/)
    assert.match(
      await detailsOf(create({ recipients: [{ publicKeys: [first.publicKey], amount: '0' }] })),
      /amount/,
    )
    assert.match(await detailsOf(create({ asset: { text: 'x'.repeat(66_000) } })), /more than 65535/)
  })

  test('is rejected with the reason when it is sent: unsigned, changed, malformed, too large', async () => {
    const built = await asset([first.publicKey])
    const signed = await sign(built, first)
    assert.match(await detailsOf(send(built)), /id/)
    assert.match(await detailsOf(send({ ...signed, asset: { data: { heat: 'other' } } })), /id/)
    assert.match(await detailsOf(send({ ...signed, version: '1.0' })), /id|version/)
    assert.match(
      await detailsOf(send({ ...signed, outputs: [{ amount: 1 }] } as never)),
      /\/outputs\/0\/amount must be string$/,
    )
    const { inputs, ...without } = signed
    assert.equal(inputs.length, 1)
    assert.equal(await detailsOf(send(without as never)), '/inputs is required')
    assert.equal((await refusal(send({ ...signed, metadata: { text: 'x'.repeat(300_000) } }))).status, 413)
  })

  test('never causes an internal error', async () => {
    const signed = await sign(await asset([first.publicKey]), first)
    const broken: object[] = [
      { ...signed, inputs: [] },
      { ...signed, outputs: [] },
      { ...signed, inputs: [{ ...signed.inputs[0], fulfillment: 'AAAA' }] },
      { ...signed, inputs: [{ ...signed.inputs[0], fulfillment: { type: 'threshold-sha-256' } }] },
      { ...signed, inputs: [{ ...signed.inputs[0], fulfills: 'text' }] },
      { ...signed, operation: 'TRANSFER' },
      { ...signed, asset: { id: 'x' } },
      { ...signed, outputs: [{ ...signed.outputs[0], condition: { details: {}, uri: '' } }] },
      { ...signed, outputs: [{ ...signed.outputs[0], public_keys: ['1'.repeat(44)] }] },
      { ...signed, metadata: [] },
      { ...signed, extra: true },
    ]
    for (const body of broken) {
      assert.equal((await refusal(send(body as never))).status, 400, JSON.stringify(body))
      assert.equal((await refusal(sign(body as never, first))).status, 400, JSON.stringify(body))
    }
  })
})
