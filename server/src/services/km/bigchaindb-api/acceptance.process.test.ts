import assert from 'node:assert/strict'
import { createPrivateKey, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import {
  attachSignatures,
  buildTransfer,
  completeTransaction,
  decodeBase58,
  type SignedTransaction,
  transactionId,
  wantedSignatures,
} from '@millseal/proof'
import driver from 'bigchaindb-driver'
import { WebSocket } from 'ws'
import { serveLedger, type ServedLedger } from '../../../../test/ledger-face.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { generousDeadline } from '../../../../test/eventually.ts'

const { Connection, Ed25519Keypair, Transaction } = driver
type Keypair = InstanceType<typeof Ed25519Keypair>
type Spend = { readonly tx: { readonly id: string }; readonly output_index: number }

let served: ServedLedger
before(async () => {
  served = await serveLedger()
})
after(() => served[Symbol.asyncDispose]())

const connect = () => new Connection(`${served.url}/api/v1/`)
const outputFor = ({ publicKey }: Keypair, amount = '1') =>
  Transaction.makeOutput(Transaction.makeEd25519Condition(publicKey), amount)
const create = (signer: Keypair, { asset, metadata = null, outputs = [outputFor(signer)] }: CreateParts) =>
  Transaction.signTransaction(
    Transaction.makeCreateTransaction(asset, metadata as never, outputs, signer.publicKey),
    signer.privateKey,
  )
type CreateParts = {
  readonly asset: Record<string, unknown>
  readonly metadata?: Record<string, unknown> | null
  readonly outputs?: ReturnType<typeof outputFor>[]
}
const transfer = (spends: readonly Spend[], outputs: ReturnType<typeof outputFor>[], ...signers: Keypair[]) =>
  Transaction.signTransaction(
    Transaction.makeTransferTransaction(spends as never, outputs, null as never),
    ...signers.map(({ privateKey }) => privateKey),
  )
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** The JavaScript driver cannot sign for several owners of one output. Builds what the Python driver does. */
const transferTogether = (transaction: SignedTransaction, to: Keypair, owners: readonly Keypair[]) => {
  const unsigned = buildTransfer(
    {
      metadata: null,
      recipients: [{ publicKeys: [to.publicKey], amount: '1' }],
      spends: [{ transaction, outputIndex: 0 }],
    },
    nodePrimitives,
  )
  const signatures = wantedSignatures(unsigned, nodePrimitives).map(({ message, ...wanted }) => {
    const owner = owners.find(({ publicKey }) => publicKey === wanted.publicKey)
    const seed = decodeBase58(owner?.privateKey ?? assert.fail('no such owner'))
    const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
    return { ...wanted, signature: sign(null, message, key) }
  })
  return completeTransaction(attachSignatures(unsigned, signatures, nodePrimitives), nodePrimitives)
}
const fresh = () => ({ message: randomBytes(8).toString('hex') })
const post = async (transaction: unknown, query = '?mode=commit') => {
  const body = JSON.stringify(transaction)
  const response = await fetch(`${served.url}/api/v1/transactions/${query}`, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

/** Cases from the acceptance tests of BigchainDB and its driver that no other test covers. */
describe('the acceptance criteria of BigchainDB', () => {
  test('a transfer joins inputs of several transactions of one asset', async () => {
    const [alice, bob, carol, trent, eli] = Array.from({ length: 5 }, () => new Ed25519Keypair())
    assert.ok(alice && bob && carol && trent && eli)
    const connection = connect()
    const made = create(alice, { asset: fresh(), outputs: [outputFor(alice), outputFor(bob)] })
    await connection.postTransactionCommit(made)
    const first = transfer([{ tx: made, output_index: 0 }], [outputFor(carol)], alice)
    const second = transfer([{ tx: made, output_index: 1 }], [outputFor(trent)], bob)
    for (const part of [first, second]) await connection.postTransactionCommit(part)
    const spends = [first, second].map((tx) => ({ tx, output_index: 0 }))
    const joined = transfer(spends, [outputFor(eli, '2')], carol, trent)
    assert.deepEqual(await connection.postTransactionCommit(joined), joined)
  })

  test('spent, unspent and all outputs of a key are listed', async () => {
    const [carol, trent] = [new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const made = create(carol, { asset: fresh(), outputs: Array.from({ length: 3 }, () => outputFor(carol)) })
    await connection.postTransactionCommit(made)
    await connection.postTransactionCommit(
      transfer([{ tx: made, output_index: 1 }], [outputFor(trent)], carol),
    )
    const count = async (spent?: boolean | string) =>
      (await connection.listOutputs(carol.publicKey, spent as never)).length
    assert.deepEqual([await count(), await count('false'), await count(true)], [3, 2, 1])
  })

  test('a transfer cannot spend more than its inputs, and the answer contains both sums', async () => {
    const [alice, bob] = [new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const made = create(alice, { asset: fresh(), outputs: [outputFor(bob, '10')] })
    await connection.postTransactionCommit(made)
    const shared = [outputFor(alice, '3'), outputFor(bob, '7')]
    const divided = transfer([{ tx: made, output_index: 0 }], shared, bob)
    await connection.postTransactionCommit(divided)
    const amounts = (await connection.getTransaction(divided.id)).outputs.map(({ amount }) => amount)
    assert.deepEqual(amounts, ['3', '7'])
    assert.deepEqual(await post(transfer([{ tx: divided, output_index: 1 }], [outputFor(alice, '8')], bob)), {
      status: 400,
      text: '{"message":"Invalid transaction (AmountError): The amount used in the inputs `7` needs to be same as the amount used in the outputs `8`","status":400}\n',
    })
  })

  test('the same CREATE sent twice at once is accepted once', async () => {
    const made = create(new Ed25519Keypair(), { asset: fresh() })
    const answers = await Promise.all([post(made), post(made)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 400],
    )
  })

  test('an output of two owners is transferred by both, and by neither alone', async () => {
    const [alice, bob, carol] = [new Ed25519Keypair(), new Ed25519Keypair(), new Ed25519Keypair()]
    const connection = connect()
    const both = Transaction.makeThresholdCondition(
      2,
      [alice, bob].map(({ publicKey }) => Transaction.makeEd25519Condition(publicKey, false)),
    )
    const made = create(alice, { asset: fresh(), outputs: [Transaction.makeOutput(both)] })
    await connection.postTransactionCommit(made)
    assert.equal((await connection.getTransaction(made.id)).outputs[0]?.public_keys.length, 2)
    const alone = transfer([{ tx: made, output_index: 0 }], [outputFor(carol)], alice)
    assert.match((await post(alone)).text, /^\{"message":"Invalid transaction \(InvalidSignature\): /)
    for (const { publicKey } of [alice, bob])
      assert.deepEqual(await connection.listOutputs(publicKey, false), [
        { transaction_id: made.id, output_index: 0 },
      ])
    const together = transferTogether(made as unknown as SignedTransaction, carol, [alice, bob])
    assert.equal((await post(together)).status, 202)
    const moved = await connection.getTransaction(together?.id ?? assert.fail())
    assert.equal(moved.inputs[0]?.owners_before.length, 2)
    assert.deepEqual(moved.outputs[0]?.public_keys, [carol.publicKey])
    for (const { publicKey } of [alice, bob])
      assert.deepEqual(await connection.listOutputs(publicKey, false), [])
  })

  test('a key name with a point, a leading dollar or a null character is rejected, as a value accepted', async () => {
    const refused =
      /^\{"message":"Invalid transaction \(ValidationError\): Invalid key name .* in asset object\. The key name cannot contain characters .* or null characters","status":400\}\n$/
    for (const text of ['bad.key', '$bad.key', '$badkey', 'bad\u0000key', '1.00', 'test\u0000']) {
      const key = new Ed25519Keypair()
      const answer = await post(create(key, { asset: { [text]: 'v' }, metadata: { [text]: 'v' } }))
      assert.equal(answer.status, 400, text)
      assert.match(answer.text, refused)
    }
    const fine = [
      '',
      'undefined',
      'nil',
      '\\',
      '田中さん',
      '👾 🙇 💁',
      '‪‪test‪',
      '<script>alert(1)</script>',
      "1';DROP TABLE users",
    ]
    for (const text of fine) {
      const key = new Ed25519Keypair()
      const asValue = create(key, { asset: { key: text }, metadata: { key: text } })
      assert.equal((await post(asValue)).status, 202, text)
      assert.deepEqual(await connect().getTransaction(asValue.id), asValue)
      if (text.includes('.')) continue
      const asName = create(key, { asset: { [text]: 'value' }, metadata: { [text]: 'value' } })
      assert.equal((await post(asName)).status, 202, text)
      assert.deepEqual(await connect().getTransaction(asName.id), asName)
    }
  })

  test('a changed, unsigned or incomplete transaction is rejected with the text of BigchainDB', async () => {
    const key = new Ed25519Keypair()
    const made = create(key, { asset: fresh() })
    const message = async (transaction: unknown) => {
      const { status, text } = await post(transaction)
      assert.equal(status, 400)
      return (JSON.parse(text) as { message: string }).message
    }
    const id = 'abcd'.repeat(16)
    assert.equal(
      await message({ ...made, id }),
      `Invalid transaction (InvalidHash): The transaction's id '${id}' isn't equal to the hash of its body, i.e. it's not valid.`,
    )
    assert.equal(await message({}), 'Invalid transaction (InvalidHash): No transaction id found!')
    await post(made)
    const spending = transfer([{ tx: made, output_index: 0 }], [outputFor(key)], key)
    const fulfillment = made.outputs[0]?.condition.details
    const unsigned = { ...spending, inputs: spending.inputs.map((input) => ({ ...input, fulfillment })) }
    assert.equal(
      await message({ ...unsigned, id: transactionId(unsigned, nodePrimitives) }),
      'Invalid transaction (InvalidSignature): Transaction signature is invalid.',
    )
  })

  test('the arguments of a list are case-insensitive', async () => {
    const made = create(new Ed25519Keypair(), { asset: fresh() })
    await connect().postTransactionCommit(made)
    const list = async (query: string) =>
      (await fetch(`${served.url}/api/v1/transactions/?asset_id=${made.id.toUpperCase()}${query}`)).json()
    for (const query of ['', '&operation=CREATe', '&last_tx=tRUE'])
      assert.deepEqual(await list(query), [made])
    assert.deepEqual(await list('&operation=transfer'), [])
  })

  test('the stream contains all of ten transactions that are sent without waiting', async () => {
    const socket = new WebSocket(`${served.url.replace('http', 'ws')}/api/v1/streams/valid_transactions`)
    await once(socket, 'open', { signal: generousDeadline() })
    const waitedFor = new Set<string>()
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        waitedFor.delete((JSON.parse(data.toString()) as { transaction_id: string }).transaction_id)
        if (waitedFor.size === 0) resolve()
      })
    })
    const alice = new Ed25519Keypair()
    const sent = Array.from({ length: 10 }, () => create(alice, { asset: fresh() }))
    for (const { id } of sent) waitedFor.add(id)
    await Promise.all(sent.map((transaction) => connect().postTransactionAsync(transaction)))
    await Promise.race([all, once(socket, 'close', { signal: generousDeadline() })])
    socket.terminate()
    assert.equal(waitedFor.size, 0)
  })
})
