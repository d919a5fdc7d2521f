import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeBase64Url, type SignedTransaction, transactionId } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { eventually } from '../../../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { assertValid } from './admission.ts'
import { createSignatureThread, type SignatureThread } from './signature-thread.ts'
import { createVerifier } from './verifier.ts'

const signer = makeLedgerSigner()
const makeTransactions = (count: number): SignedTransaction[] =>
  Array.from({ length: count }, () => signer.create(certificateAsset()))

const startThread = async (): Promise<SignatureThread> => {
  const thread = createSignatureThread({ onEnded: (error) => assert.fail(error) })
  thread.start()
  await eventually(() => thread.isReady)
  return thread
}

/** With other bytes of the fulfillment, and the id that follows. */
const withFulfillment = (transaction: SignedTransaction, change: (bytes: Buffer) => void) => {
  const inputs = transaction.inputs.map((input) => {
    const bytes = Buffer.from(input.fulfillment, 'base64url')
    change(bytes)
    return { ...input, fulfillment: encodeBase64Url(bytes) }
  })
  const changed = { ...transaction, inputs }
  return { ...changed, id: transactionId(changed, nodePrimitives) } as SignedTransaction
}

/** A fulfillment ends with the signature: R and then S. */
const startOfSignature = -64
const invalid: Readonly<Record<string, (transaction: SignedTransaction) => SignedTransaction>> = {
  'a signature of another message': (one) =>
    withFulfillment(one, (bytes) => bytes.writeUInt8(1, bytes.length - 40)),
  'R of small order': (one) =>
    withFulfillment(one, (bytes) => bytes.fill(0, bytes.length + startOfSignature, bytes.length - 32)),
  'S that is too large': (one) => withFulfillment(one, (bytes) => bytes.fill(0xff, bytes.length - 32)),
  'an invalid signature by a key that owns nothing': (one) =>
    withFulfillment(one, (bytes) => bytes.fill(Buffer.from('another key of 32 bytes, not own'), 4, 36)),
  'another id': (one) => ({ ...one, id: 'ab'.repeat(32) }),
  'an unknown version': (one) => ({ ...one, version: '3.0' }) as unknown as SignedTransaction,
}

const refusalOf = (transaction: SignedTransaction): TransactionRefused => {
  try {
    assertValid(transaction)
  } catch (error) {
    if (error instanceof TransactionRefused) return error
  }
  return assert.fail('This transaction is valid')
}

describe('transactions that are verified together', () => {
  test('are refused one by one, with the errors that each alone would get', async () => {
    await using verifier = createVerifier(await startThread())
    const valid = makeTransactions(300)
    const refused = Object.values(invalid).map((spoil, at) => spoil(valid[at] ?? assert.fail()))
    const mixed = [...valid.slice(0, 150), ...refused, ...valid.slice(150)]
    const results = await Promise.allSettled(mixed.map((one) => verifier.verify(one)))
    for (const [at, result] of results.entries()) {
      const transaction = mixed[at] ?? assert.fail()
      if (result.status === 'fulfilled') assert.deepEqual(result.value, assertValid(transaction))
      else assert.deepEqual(result.reason, refusalOf(transaction))
    }
    const rejected = results.flatMap(({ status }, at) => (status === 'rejected' ? [mixed[at]] : []))
    assert.deepEqual(rejected, refused)
  })

  test('are answered in the order of the calls, also by calls that follow', async () => {
    await using verifier = createVerifier(await startThread())
    const order: string[] = []
    const verify = async (transaction: SignedTransaction): Promise<void> => {
      order.push((await verifier.verify(transaction)).transaction.id)
    }
    const many = makeTransactions(200)
    const verifying = many.map(verify)
    await nextTurn()
    const [last = assert.fail()] = makeTransactions(1)
    await Promise.all([...verifying, verify(last)])
    assert.deepEqual(
      order,
      [...many, last].map(({ id }) => id),
    )
  })

  test('start the thread, and do not wait until it is ready', async () => {
    await using thread = createSignatureThread({ onEnded: (error) => assert.fail(error) })
    let starts = 0
    const counted: SignatureThread = {
      ...thread,
      get isReady() {
        return thread.isReady
      },
      start() {
        starts += 1
        thread.start()
      },
    }
    const verifier = createVerifier(counted)
    await Promise.all(makeTransactions(3).map((one) => verifier.verify(one)))
    assert.equal(starts, 0, 'a few do not start it')
    await Promise.all(makeTransactions(20).map((one) => verifier.verify(one)))
    await eventually(() => thread.isReady)
  })

  test('are verified though the thread ends', async () => {
    const ended: Error[] = []
    const script = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads'
        parentPort.on('message', ({ length }) => {
          if (length > 0) throw new Error('out of memory')
          parentPort.postMessage(new Uint8Array())
        })`)}`,
    )
    const thread = createSignatureThread({ script, onEnded: (error) => ended.push(error) })
    thread.start()
    await eventually(() => thread.isReady)
    await using verifier = createVerifier(thread)
    const [first = assert.fail(), ...others] = makeTransactions(200)
    const spoilt = withFulfillment(first, (bytes) => bytes.fill(0xff, bytes.length - 32))
    const results = await Promise.allSettled([...others, spoilt].map((one) => verifier.verify(one)))
    assert.equal(results.pop()?.status, 'rejected')
    for (const { status } of results) assert.equal(status, 'fulfilled')
    assert.deepEqual(
      ended.map(({ message }) => message),
      ['out of memory'],
    )
    assert.equal(thread.isReady, false)
  })

  test('are rejected as unavailable if the ledger closes', async () => {
    const verifier = createVerifier(await startThread())
    const verifying = Promise.allSettled(makeTransactions(200).map((one) => verifier.verify(one)))
    await verifier[Symbol.asyncDispose]()
    for (const result of await verifying)
      assert.ok(result.status === 'rejected' && result.reason instanceof LedgerUnavailable)
  })
})
