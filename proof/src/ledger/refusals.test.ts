import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../json/read.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { buildCreate } from './build.ts'
import { canonicalLedgerText } from './canonical.ts'
import { fulfillmentText, readFulfillment } from './fulfillment.ts'
import { ownerOf, signWholly } from './owners.fixture.ts'
import { publishedTransactions } from './published.fixture.ts'
import { readUnsignedTransaction } from './read-unsigned.ts'
import { transactionId } from './signing-message.ts'
import { InvalidTransaction, type TransactionFault } from './transaction.ts'
import { verifyTransaction } from './verify-transaction.ts'

const owner = ownerOf(7)
// oxlint-disable-next-line typescript/no-explicit-any -- a test breaks every part of it
type Loose = Record<string, any>

const refuses = (act: () => unknown, fault: TransactionFault, reason: RegExp) =>
  assert.throws(
    act,
    (error) => error instanceof InvalidTransaction && error.fault === fault && reason.test(error.message),
  )

const build = (
  asset: { [key: string]: JsonValue } | null,
  metadata: { [key: string]: JsonValue } | null = null,
) =>
  buildCreate(
    {
      asset,
      metadata,
      issuers: [owner.publicKey],
      recipients: [{ publicKeys: [owner.publicKey], amount: '1' }],
    },
    primitives,
  )

describe('the text of a transaction', () => {
  test('equals the output of rapidjson, also for control characters and keys beyond the first plane', () => {
    assert.equal(
      canonicalLedgerText({ '\u{1f600}': 1, '\ufb33': 2, a: '\u001b\u0000\n\t"\\u001b é \u007f' }),
      '{"a":"\\u001B\\u0000\\n\\t\\"\\\\u001b é \u007f","\ufb33":2,"\u{1f600}":1}',
    )
  })

  test('orders keys by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' })), (keys) => {
        fc.pre(keys.every((key) => key !== '__proto__'))
        const text = canonicalLedgerText(Object.fromEntries(keys.map((key) => [key, 0])))
        const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        assert.deepEqual(
          [...text.matchAll(/"((?:[^"\\]|\\.)*)":0/g)].map(([, key]) => JSON.parse(`"${key}"`)),
          sorted,
        )
      }),
    )
  })

  test('rejects numbers that Python and JavaScript write differently, and malformed text', () => {
    for (const value of [0.5, 1e21, 2 ** 53, -0, Number.NaN, Infinity])
      refuses(() => canonicalLedgerText({ value }), 'ValidationError', /safe integer/)
    refuses(() => canonicalLedgerText({ value: '\ud800' }), 'ValidationError', /lone surrogate/)
    refuses(() => canonicalLedgerText({ value: undefined }), 'ValidationError', /type undefined/)
    refuses(() => canonicalLedgerText({ value: 1n }), 'ValidationError', /type bigint/)
    let deep: JsonValue = null
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    refuses(() => canonicalLedgerText(deep), 'ValidationError', /64 levels/)
  })
})

describe('a transaction is rejected', () => {
  const published = publishedTransactions[0]
  assert.ok(published)
  const broken = (change: (copy: Loose) => void) => () => {
    const copy = structuredClone(published) as Loose
    change(copy)
    return verifyTransaction({ ...copy, id: transactionId(copy, primitives) }, primitives)
  }

  test('without its id or with a wrong one', () => {
    const { id: _, ...rest } = published
    refuses(
      () => verifyTransaction(rest, primitives),
      'InvalidHash',
      /^Invalid transaction \(InvalidHash\): No transaction id found!$/,
    )
    refuses(
      () => verifyTransaction({ ...published, id: '0'.repeat(64) }, primitives),
      'InvalidHash',
      /The transaction's id '0{64}' isn't equal to the hash of its body, i\.e\. it's not valid\.$/,
    )
    for (const value of [null, 'text', 7, [], undefined])
      refuses(() => verifyTransaction(value, primitives), 'SchemaValidationError', /not of type 'object'/)
  })

  test('if a part is missing, unknown or has the wrong type; the error names the part', () => {
    const cases: readonly [(copy: Loose) => void, RegExp][] = [
      [(copy) => delete copy['version'], /^Invalid transaction schema: 'version' is a required property$/],
      [(copy) => (copy['version'] = '1.0'), /version.*'1\.0' does not match/],
      [(copy) => (copy['extra'] = 1), /Additional properties are not allowed \('extra' was unexpected\)/],
      [
        (copy) => delete copy['operation'],
        /^Invalid transaction schema: 'operation' is a required property$/,
      ],
      [(copy) => (copy['operation'] = 'GENESIS'), /'GENESIS' is not one of \['CREATE', 'TRANSFER'\]/],
      [(copy) => (copy['metadata'] = {}), /metadata.*not have enough properties/],
      [(copy) => (copy['metadata'] = 'x'), /metadata.*not of type 'object'/],
      [(copy) => (copy['asset'] = { id: 'a'.repeat(64) }), /asset.*'data' is a required property/],
      [(copy) => (copy['asset'].data = 'x'), /asset\/data/],
      [(copy) => (copy['inputs'] = []), /inputs.*empty/],
      [(copy) => copy['inputs'].push(copy['inputs'][0]), /inputs.*too long/],
      [
        (copy) => (copy['inputs'][0].fulfills = { output_index: 0, transaction_id: 'a'.repeat(64) }),
        /fulfills/,
      ],
      [(copy) => (copy['inputs'][0].fulfillment = null), /inputs\/0\/fulfillment/],
      [(copy) => (copy['inputs'][0].owners_before = ['nobody']), /inputs\/0\/owners_before\/0/],
      [(copy) => (copy['outputs'] = []), /outputs.*empty/],
      [(copy) => (copy['outputs'][0].amount = 1), /outputs\/0\/amount/],
      [(copy) => (copy['outputs'][0].condition.details.type = 'preimage-sha-256'), /details\/type/],
    ]
    for (const [change, reason] of cases) refuses(broken(change), 'SchemaValidationError', reason)
  })

  test('if an amount, a condition or a key is wrong', () => {
    refuses(
      broken((copy) => (copy['outputs'][0].amount = '0')),
      'AmountError',
      /must be greater than 0/,
    )
    refuses(
      broken((copy) => (copy['outputs'][0].amount = '9000000000000000001')),
      'AmountError',
      /must be <= 9000000000000000000/,
    )
    refuses(
      broken((copy) => (copy['outputs'][0].condition.uri += '0')),
      'ValidationError',
      /does not follow/,
    )
    refuses(
      broken((copy) => (copy['outputs'][0].public_keys = [owner.publicKey])),
      'ValidationError',
      /public_keys/,
    )
    const weak = '1'.repeat(32)
    refuses(
      () =>
        buildCreate(
          {
            asset: null,
            metadata: null,
            issuers: [owner.publicKey],
            recipients: [{ publicKeys: [weak], amount: '1' }],
          },
          primitives,
        ),
      'ValidationError',
      /small order/,
    )
  })

  test('with names that BigchainDB cannot store, at any depth', () => {
    for (const key of ['bad.key', '$bad', 'bad\u0000'])
      refuses(() => build({ fine: [{ [key]: 1 }] }), 'ValidationError', /Invalid key name .* in asset object/)
    refuses(() => build(null, { $where: 1 }), 'ValidationError', /in metadata object/)
    build({ a$: 'a.b' })
  })

  test('with a condition in place of a fulfillment', () => {
    const ofOne: Loose = { type: 'ed25519-sha-256', public_key: owner.publicKey }
    const ofMore = { type: 'threshold-sha-256', threshold: 1, subconditions: [ofOne] }
    for (const details of [ofOne, ofMore])
      refuses(
        broken((copy) => (copy['inputs'][0].fulfillment = details)),
        'InvalidSignature',
        /: Transaction signature is invalid\.$/,
      )
    for (const other of [{}, { ...ofOne, signature: 'AA' }, [ofOne]])
      refuses(
        broken((copy) => (copy['inputs'][0].fulfillment = other)),
        'SchemaValidationError',
        /inputs\/0\/fulfillment/,
      )
  })

  test('if it is longer than a leaf of the log, but not at the maximum length', () => {
    const overhead = JSON.stringify(signWholly(build({ text: '' }), owner)).length
    const longest = signWholly(build({ text: 'x'.repeat(65_535 - overhead) }), owner)
    assert.equal(JSON.stringify(longest).length, 65_535)
    refuses(
      () => signWholly(build({ text: 'x'.repeat(65_536 - overhead) }), owner),
      'ValidationError',
      /65536 bytes, more than 65535/,
    )
  })

  test('with deeply nested thresholds', () => {
    let details: Loose = { type: 'ed25519-sha-256', public_key: owner.publicKey }
    for (let level = 0; level < 20; level += 1)
      details = { type: 'threshold-sha-256', threshold: 1, subconditions: [details] }
    refuses(
      broken((copy) => (copy['outputs'][0].condition.details = details)),
      'ThresholdTooDeep',
      /nested/,
    )
    const unsigned = structuredClone(published) as Loose
    unsigned['inputs'][0].fulfillment = details
    refuses(() => readUnsignedTransaction(unsigned, primitives), 'ThresholdTooDeep', /nested/)
  })
})

describe('fulfillments', () => {
  const text = publishedTransactions[0]?.inputs[0]?.fulfillment ?? ''

  test('have exactly one valid encoding', () => {
    assert.equal(fulfillmentText(readFulfillment(text)), text)
    const bytes = Buffer.from(text, 'base64url')
    const longForm = Buffer.concat([bytes.subarray(0, 1), Buffer.from([0x81]), bytes.subarray(1)])
    for (const other of ['', `${text}AA`, text.slice(0, -4), longForm.toString('base64url')])
      refuses(() => readFulfillment(other), 'InvalidSignature', /Fulfillment URI couldn't been parsed/)
  })

  test('of arbitrary bytes are rejected without any other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0xa0, 0xa2, 0xa4), (bytes, tag) => {
        const framed = Buffer.from([tag, 0x82, bytes.length >> 8, bytes.length & 0xff, ...bytes])
        for (const candidate of [framed, Buffer.from(bytes)])
          try {
            readFulfillment(candidate.toString('base64url'))
          } catch (error) {
            assert.ok(error instanceof InvalidTransaction, String(error))
          }
      }),
      { numRuns: 2_000 },
    )
  })
})
