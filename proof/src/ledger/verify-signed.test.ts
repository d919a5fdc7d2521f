import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBase58 } from '../encoding/base58.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { buildCreate } from './build.ts'
import { fulfillmentText } from './fulfillment.ts'
import { ownerOf } from './owners.fixture.ts'
import { signingMessages, transactionId } from './signing-message.ts'
import { InvalidTransaction } from './transaction.ts'
import { verifySigned } from './verify-signed.ts'
import { verifyTransaction } from './verify-transaction.ts'

const owner = ownerOf(7)
const unsigned = buildCreate(
  {
    asset: { jsonHash: 'ab'.repeat(32) },
    metadata: null,
    issuers: [owner.publicKey],
    recipients: [{ publicKeys: [owner.publicKey], amount: '1' }],
  },
  primitives,
)

/** Signed as it is, whatever a ledger would say of it. */
const signed = (transaction: typeof unsigned) => {
  const [message = assert.fail()] = signingMessages(transaction, primitives)
  const fulfillment = fulfillmentText({
    kind: 'ed25519',
    publicKey: decodeBase58(owner.publicKey),
    signature: owner.sign(message),
  })
  const complete = { ...transaction, inputs: transaction.inputs.map((input) => ({ ...input, fulfillment })) }
  return { ...complete, id: transactionId(complete, primitives) }
}

test('outputs, conditions and metadata mean nothing in a bundle, but what is signed is unchanged', () => {
  const [output = assert.fail()] = unsigned.outputs
  const stale = { ...output, condition: { ...output.condition, uri: 'ni:///sha-256;stale' } }
  for (const odd of [{ outputs: [stale] }, { metadata: { 'a.b': 1 } }, { outputs: [] }]) {
    const transaction = signed({ ...unsigned, ...odd })
    assert.throws(() => verifyTransaction(transaction, primitives), InvalidTransaction)
    assert.equal(verifySigned(transaction, primitives).id, transaction.id)
    const altered = { ...transaction, asset: { data: { jsonHash: 'cd'.repeat(32) } } }
    for (const id of [transaction.id, transactionId(altered, primitives)])
      assert.throws(() => verifySigned({ ...altered, id }, primitives), InvalidTransaction)
  }
})
