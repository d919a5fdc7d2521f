import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { buildCreate, buildTransfer, type SignedTransaction, wantedSignatures } from '@millseal/proof'
import driver from 'bigchaindb-driver'
import { serveLedger, type ServedLedger } from '../../../../test/ledger-face.ts'
import { nodePrimitives } from '@millseal/proof/node'

const { Connection, Ed25519Keypair, Transaction } = driver

let served: ServedLedger
before(async () => {
  served = await serveLedger()
})
after(() => served[Symbol.asyncDispose]())

const connect = () => new Connection(`${served.url}/api/v1/`)
const outputFor = (publicKey: string, amount = '1') =>
  Transaction.makeOutput(Transaction.makeEd25519Condition(publicKey), amount)
const makeCreate = (owner: InstanceType<typeof Ed25519Keypair>, word: string, amount = '1') =>
  Transaction.signTransaction(
    Transaction.makeCreateTransaction(
      { certHash: word, text: 'Grüße €\u{1f600}' },
      { issuer: word },
      [outputFor(owner.publicKey, amount)],
      owner.publicKey,
    ),
    owner.privateKey,
  )
/** The types of the driver allow neither missing metadata nor spending the output of a TRANSFER. */
const makeTransfer = (
  spends: readonly { readonly tx: { readonly id: string }; readonly output_index: number }[],
  outputs: readonly ReturnType<typeof outputFor>[],
  { metadata, signers }: { metadata: Record<string, unknown> | null; signers: readonly string[] },
) =>
  Transaction.signTransaction(
    Transaction.makeTransferTransaction(spends as never, [...outputs], metadata as never),
    ...signers,
  )
const status = (wanted: string) => (error: unknown) =>
  error instanceof Error && 'status' in error && error.status === wanted
const makeWord = () => `w${randomBytes(12).toString('hex')}`

describe('the unmodified driver of BigchainDB', () => {
  test('creates and transfers an asset, and finds both', async () => {
    const [mill, buyer] = [new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const create = makeCreate(mill, makeWord())
    assert.deepEqual(await connection.postTransactionCommit(create), create)
    const transfer = makeTransfer([{ tx: create, output_index: 0 }], [outputFor(buyer.publicKey)], {
      metadata: { note: 'sold' },
      signers: [mill.privateKey],
    })
    await connection.postTransactionSync(transfer)
    assert.deepEqual(await connection.getTransaction(transfer.id), transfer)
    assert.deepEqual(await connection.listTransactions(create.id), [create, transfer])
    assert.deepEqual(await connection.listTransactions(create.id, 'TRANSFER' as never), [transfer])
  })

  test('cannot spend an output twice', async () => {
    const mill = new Ed25519Keypair()
    const connection = connect()
    const create = makeCreate(mill, makeWord())
    await connection.postTransactionCommit(create)
    const spend = (note: string) =>
      makeTransfer([{ tx: create, output_index: 0 }], [outputFor(new Ed25519Keypair().publicKey)], {
        metadata: { note },
        signers: [mill.privateKey],
      })
    await connection.postTransactionCommit(spend('first'))
    await assert.rejects(connection.postTransactionCommit(spend('second')), status('400 BAD REQUEST'))
  })

  test('lists spent and unspent outputs of a key', async () => {
    const [mill, buyer] = [new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const create = makeCreate(mill, makeWord())
    await connection.postTransactionCommit(create)
    const here = [{ transaction_id: create.id, output_index: 0 }]
    assert.deepEqual(await connection.listOutputs(mill.publicKey, false), here)
    assert.deepEqual(await connection.listOutputs(mill.publicKey, true), [])
    const transfer = makeTransfer([{ tx: create, output_index: 0 }], [outputFor(buyer.publicKey)], {
      metadata: null,
      signers: [mill.privateKey],
    })
    await connection.postTransactionCommit(transfer)
    assert.deepEqual(await connection.listOutputs(mill.publicKey, false), [])
    assert.deepEqual(await connection.listOutputs(mill.publicKey, true), here)
    assert.deepEqual(await connection.listOutputs(mill.publicKey), here)
    assert.deepEqual(await connection.listOutputs(buyer.publicKey, false), [
      { transaction_id: transfer.id, output_index: 0 },
    ])
  })

  test('splits an asset and joins the parts of two owners', async () => {
    const [mill, buyer] = [new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const create = makeCreate(mill, makeWord(), '10')
    await connection.postTransactionCommit(create)
    const divided = makeTransfer(
      [{ tx: create, output_index: 0 }],
      [outputFor(mill.publicKey, '4'), outputFor(buyer.publicKey, '6')],
      { metadata: null, signers: [mill.privateKey] },
    )
    await connection.postTransactionCommit(divided)
    const joined = makeTransfer(
      [
        { tx: divided, output_index: 0 },
        { tx: divided, output_index: 1 },
      ],
      [outputFor(buyer.publicKey, '10')],
      { metadata: null, signers: [mill.privateKey, buyer.privateKey] },
    )
    assert.deepEqual(await connection.postTransactionCommit(joined), joined)
  })

  test('finds assets and metadata by a word, and blocks by a transaction', async () => {
    const word = makeWord()
    const connection = connect()
    const create = makeCreate(new Ed25519Keypair(), word)
    await connection.postTransactionCommit(create)
    assert.deepEqual(await connection.searchAssets(word), [{ id: create.id, data: create.asset.data }])
    assert.deepEqual(await connection.searchMetadata(word), [{ id: create.id, metadata: { issuer: word } }])
    const [height] = await connection.listBlocks(create.id)
    assert.ok(height)
    const block = await connection.getBlock(height)
    assert.equal(block.height, height)
    assert.ok(block.transactions.some((transaction) => transaction.id === create.id))
    await assert.rejects(connection.getBlock(height + 1_000), status('404 NOT FOUND'))
  })

  test('names the status of an address that does not exist', async () => {
    const connection = new Connection(`${served.url}/api/wrong/`)
    await assert.rejects(connection.getTransaction('transactionId'), status('404 NOT FOUND'))
  })

  test('builds the same conditions, messages and ids as we do, for one owner and for several', () => {
    const [mill, buyer, third] = [new Ed25519Keypair(), new Ed25519Keypair(), new Ed25519Keypair()]
    const keys = [mill, buyer, third].map(({ publicKey }) => publicKey)
    for (const threshold of [1, 2, 3]) {
      const condition = Transaction.makeThresholdCondition(
        threshold,
        keys.map((key) => Transaction.makeEd25519Condition(key, false)),
      )
      const theirs = Transaction.makeCreateTransaction(
        { a: 1 },
        { b: ['c', true, null] },
        [Transaction.makeOutput(condition, '7')],
        mill.publicKey,
      )
      const ours = buildCreate(
        {
          asset: { a: 1 },
          metadata: { b: ['c', true, null] },
          issuers: [mill.publicKey],
          recipients: [{ publicKeys: keys, amount: '7', threshold }],
        },
        nodePrimitives,
      )
      assert.deepEqual(ours.outputs, JSON.parse(JSON.stringify(theirs.outputs)))
      const signed = Transaction.signTransaction(theirs, mill.privateKey) as unknown as SignedTransaction
      const spend = buildTransfer(
        {
          metadata: null,
          recipients: [{ publicKeys: [mill.publicKey], amount: '7' }],
          spends: [{ transaction: signed, outputIndex: 0 }],
        },
        nodePrimitives,
      )
      assert.equal(wantedSignatures(spend, nodePrimitives).length, 3)
    }
  })
})
