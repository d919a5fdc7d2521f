import { generateKeyPairSync, sign } from 'node:crypto'
import {
  attachSignatures,
  buildCreate,
  completeTransaction,
  encodeBase58,
  portablePrimitives,
  type Primitives,
  verifyTransaction,
  wantedSignatures,
} from '../../../proof/src/index.ts'
import { nodePrimitives } from '../../../server/src/lib/primitives.ts'
import type { Measurement } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

/** What checking a transaction of a notarization costs, by OpenSSL and in a browser, against its signature alone. */
export const transactions: Measurement = {
  name: 'transactions',
  async measure() {
    const { transaction, check } = makeSigned()
    const [quick, slow] = [1_000, 100]
    const rounds = await inTurn({
      signature: async () => cost(quick, () => nodePrimitives.verifyEd25519(check)),
      portableSignature: async () => cost(slow, () => portablePrimitives.verifyEd25519(check)),
      whole: async () => cost(quick, () => verifyTransaction(transaction, nodePrimitives)),
      portableWhole: async () => cost(slow, () => verifyTransaction(transaction, portablePrimitives)),
    })
    return [
      { what: 'verify a transaction, OpenSSL', value: medianOf(rounds, ({ whole }) => whole), unit: 'µs' },
      {
        what: 'verify a transaction, as in a browser',
        value: medianOf(rounds, ({ portableWhole }) => portableWhole),
        unit: 'µs',
      },
      ratioRow(
        'transaction : its signature alone, OpenSSL',
        rounds,
        ({ whole, signature }) => whole / signature,
      ),
      {
        ...ratioRow(
          'signature, portable : OpenSSL',
          rounds,
          ({ portableSignature, signature }) => portableSignature / signature,
        ),
        goal: { atLeast: 10 },
      },
    ]
  },
}

/** Microseconds of processor time, of one. */
const cost = (times: number, act: () => unknown): number => {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) if (act() === false) throw new Error('It does not verify')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

const makeSigned = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const owner = encodeBase58(key)
  const primitives: Primitives = nodePrimitives
  const unsigned = buildCreate(
    {
      asset: { jsonHash: 'ab'.repeat(32), pdfHash: 'cd'.repeat(32), schema: 'en10168-v1.0.0' },
      metadata: { timestamp: '2026-01-01T00:00:00.000Z' },
      issuers: [owner],
      recipients: [{ publicKeys: [owner], amount: '1' }],
    },
    primitives,
  )
  const signatures = wantedSignatures(unsigned, primitives).map(({ message, ...wanted }) => ({
    ...wanted,
    message,
    signature: sign(null, message, privateKey),
  }))
  const transaction = completeTransaction(attachSignatures(unsigned, signatures, primitives), primitives)
  const [first] = signatures
  if (transaction === undefined || first === undefined) throw new Error('Nothing was signed')
  return { transaction, check: { publicKey: key, message: first.message, signature: first.signature } }
}
