import { InvalidTransaction, readJson, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { BigchaindbError } from './bigchaindb-error.ts'

/**
 * Everybody may send transactions to an open ledger, and they are verified in the main thread, twice. So they contain no
 * more than that thread verifies within 20 ms; our own transactions have about 30 values and one signature.
 */
const strangersLimits = { values: 500, signatures: 16 } as const

const maxDepth = 64
/** The fulfillment of a single key: a key, a signature and their tags, in base64url. */
const signatureLength = 136

export const readStrangersTransaction = (body: unknown): SignedTransaction => {
  if (!(body instanceof Uint8Array)) throw new BigchaindbError(400, 'Failed to decode JSON object: no body')
  assertFewSeparators(body)
  const transaction = readJson(body, { maxDepth })
  assertFewValues(transaction)
  assertFewSignatures(transaction)
  try {
    return verifyTransaction(transaction, nodePrimitives)
  } catch (error) {
    if (error instanceof InvalidTransaction) throw new BigchaindbError(400, error.message)
    throw error
  }
}

/** Each value but the first follows one of these. Texts contain them too, so this bounds only what is parsed. */
const [bracket, brace, comma] = Buffer.from('[{,')
const mostSeparators = 8 * strangersLimits.values

const assertFewSeparators = (bytes: Uint8Array): void => {
  let count = 0
  for (const byte of bytes) if (byte === comma || byte === bracket || byte === brace) count += 1
  if (count > mostSeparators) throw tooMuch(`${strangersLimits.values} values`)
}

const assertFewValues = (transaction: unknown): void => {
  let count = 0
  const add = (value: unknown): void => {
    count += 1
    if (count > strangersLimits.values) throw tooMuch(`${strangersLimits.values} values`)
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) add(inner)
  }
  add(transaction)
}

const assertFewSignatures = (transaction: unknown): void => {
  const { inputs } = Object(transaction) as { readonly inputs?: unknown }
  const length = (Array.isArray(inputs) ? inputs : []).reduce<number>((sum, input) => {
    const { fulfillment } = Object(input) as { readonly fulfillment?: unknown }
    return sum + (typeof fulfillment === 'string' ? fulfillment.length : 0)
  }, 0)
  if (length > strangersLimits.signatures * signatureLength)
    throw tooMuch(`${strangersLimits.signatures} signatures`)
}

const tooMuch = (most: string): BigchaindbError =>
  new BigchaindbError(
    400,
    `Invalid transaction (ValidationError): this ledger accepts at most ${most} in a transaction`,
  )
