import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { canonicalLedgerText, encodeBase58 } from '@millseal/proof'

const largestBytes = 64 * 1024

const id = (fields: object): string =>
  createHash('sha3-256')
    .update(canonicalLedgerText({ ...fields, id: null }))
    .digest('hex')
const bytesOf = (fields: object): Buffer => Buffer.from(JSON.stringify({ ...fields, id: id(fields) }))

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
const owner = encodeBase58(rawKey)

const der = (tag: number, content: Buffer): Buffer => {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const signed = (message: Buffer): Buffer =>
  der(0xa4, Buffer.concat([der(0x80, rawKey), der(0x81, sign(null, message, privateKey))]))

const output = {
  amount: '1',
  public_keys: [owner],
  condition: {
    details: { type: 'ed25519-sha-256', public_key: owner },
    uri: `ni:///sha-256;${createHash('sha256')
      .update(der(0x30, der(0x80, rawKey)))
      .digest('base64url')}?fpt=ed25519-sha-256&cost=131072`,
  },
}

type Input = {
  owners_before: string[]
  fulfills: { transaction_id: string; output_index: number }
  fulfillment: string | null
}

/** A transfer whose inputs are all signed as they should be. */
const transfer = (count: number, signaturesOf: (message: Buffer) => Buffer): Buffer => {
  const inputs: Input[] = Array.from({ length: count }, () => ({
    owners_before: [owner],
    fulfills: { transaction_id: randomBytes(32).toString('hex'), output_index: 0 },
    fulfillment: null,
  }))
  const fields = {
    operation: 'TRANSFER',
    version: '2.0',
    asset: { id: 'ab'.repeat(32) },
    metadata: null,
    outputs: [output],
  }
  const text = canonicalLedgerText({ ...fields, inputs, id: null })
  for (const input of inputs) {
    const { transaction_id, output_index } = input.fulfills
    const message = createHash('sha3-256').update(`${text}${transaction_id}${output_index}`).digest()
    input.fulfillment = signaturesOf(message).toString('base64url')
  }
  return bytesOf({ ...fields, inputs })
}

/** A record of this many owners, who are checked before its signature. */
const owned = (count: number): Buffer => {
  const details = {
    type: 'threshold-sha-256',
    threshold: 1,
    subconditions: Array.from({ length: count }, () => output.condition.details),
  }
  const uri = `ni:///sha-256;${'A'.repeat(43)}?fpt=threshold-sha-256&cost=1&subtypes=ed25519-sha-256`
  return record(null, [{ amount: '1', public_keys: [owner], condition: { details, uri } }])
}

/** A record that everything is right about but its signature, so that all of it is checked. */
const create = (metadata: unknown): Buffer => record(metadata, [output])

const record = (metadata: unknown, outputs: readonly object[]): Buffer =>
  bytesOf({
    operation: 'CREATE',
    version: '2.0',
    asset: { data: { jsonHash: 'ab'.repeat(32) } },
    metadata,
    inputs: [
      { owners_before: [owner], fulfills: null, fulfillment: signed(Buffer.alloc(32)).toString('base64url') },
    ],
    outputs,
  })

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])
const fitting = (make: (count: number) => Buffer, most: number): Buffer => {
  let [low, high] = [1, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (make(middle).length <= largestBytes) low = middle
    else high = middle - 1
  }
  return make(low)
}

/** What we know to be costly of the transactions that anybody may send to an open ledger, as large as they may be. */
export const costlyTransactions: readonly { readonly name: string; readonly body: Uint8Array }[] = [
  { name: 'signed inputs', body: fitting((count) => transfer(count, signed), 400) },
  {
    name: 'a threshold of signatures',
    body: fitting(
      (count) =>
        transfer(1, (message) => {
          const one = signed(message)
          const many = Buffer.concat(Array.from({ length: count }, () => one))
          return der(0xa2, Buffer.concat([der(0xa0, many), der(0xa1, Buffer.alloc(0))]))
        }),
      500,
    ),
  },
  {
    name: 'outputs',
    body: fitting(
      (count) =>
        record(
          null,
          Array.from({ length: count }, () => output),
        ),
      300,
    ),
  },
  { name: 'owners', body: fitting(owned, 1_000) },
  {
    name: 'nested arrays',
    body: fitting((count) => create({ a: Array.from({ length: count }, () => nested(50)) }), 2_000),
  },
  {
    name: 'many keys',
    body: fitting(
      (count) => create(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))),
      12_000,
    ),
  },
  {
    name: 'empty arrays',
    body: fitting((count) => create({ a: Array.from({ length: count }, () => []) }), 30_000),
  },
  { name: 'a long text', body: fitting((count) => create({ a: '\u{10000}'.repeat(count) }), 20_000) },
  { name: 'a long text of quotes', body: fitting((count) => create({ a: '"'.repeat(count) }), 40_000) },
  {
    name: 'numbers',
    body: fitting((count) => create({ a: Array.from({ length: count }, (_, at) => at) }), 20_000),
  },
]
