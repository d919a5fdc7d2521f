import type { Primitives } from '../primitives.ts'
import { assetIdOf } from './check-against.ts'
import { conditionOf, conditionUri, detailsFor } from './condition.ts'
import {
  InvalidTransaction,
  type LedgerObject,
  type PendingFulfillment,
  type SignedTransaction,
  type TransactionOutput,
  type UnsignedTransaction,
} from './transaction.ts'
import { readUnsignedTransaction } from './read-unsigned.ts'

export type Recipient = {
  readonly publicKeys: readonly string[]
  readonly amount: string
  /** How many owners must sign to spend the output. Default: all. */
  readonly threshold?: number
}

export type WantedCreate = {
  readonly asset: LedgerObject | null
  readonly metadata: LedgerObject | null
  /** All issuers must sign. */
  readonly issuers: readonly string[]
  readonly recipients: readonly Recipient[]
}

export type WantedTransfer = {
  readonly metadata: LedgerObject | null
  readonly recipients: readonly Recipient[]
  readonly spends: readonly { readonly transaction: SignedTransaction; readonly outputIndex: number }[]
}

/** Creates an asset. Throws `InvalidTransaction` if no signature can make the transaction valid. */
export const buildCreate = (wanted: WantedCreate, primitives: Primitives): UnsignedTransaction =>
  readUnsignedTransaction(
    {
      id: null,
      version: '2.0',
      operation: 'CREATE',
      asset: { data: wanted.asset },
      metadata: wanted.metadata,
      inputs: [
        {
          owners_before: wanted.issuers,
          fulfills: null,
          fulfillment: pendingFor(detailsFor(wanted.issuers)),
        },
      ],
      outputs: outputsFor(wanted.recipients, primitives),
    },
    primitives,
  )

/** Transfers the spent outputs. The ledger checks the sums and that the outputs are unspent. */
export const buildTransfer = (wanted: WantedTransfer, primitives: Primitives): UnsignedTransaction => {
  const [first] = wanted.spends
  if (first === undefined)
    throw new InvalidTransaction('ValidationError', 'a TRANSFER spends at least one output')
  return readUnsignedTransaction(
    {
      id: null,
      version: '2.0',
      operation: 'TRANSFER',
      asset: { id: assetIdOf(first.transaction) },
      metadata: wanted.metadata,
      inputs: wanted.spends.map(inputFor),
      outputs: outputsFor(wanted.recipients, primitives),
    },
    primitives,
  )
}

const inputFor = ({ transaction, outputIndex }: WantedTransfer['spends'][number]) => {
  const output = transaction.outputs[outputIndex]
  if (output === undefined)
    throw new InvalidTransaction(
      'InputDoesNotExist',
      `input \`${transaction.id}\` has no output ${outputIndex}`,
    )
  return {
    owners_before: output.public_keys,
    fulfills: { transaction_id: transaction.id, output_index: outputIndex },
    fulfillment: pendingFor(output.condition.details),
  }
}

/** `null` if it means the same, as other implementations write it. */
const pendingFor = (details: PendingFulfillment): PendingFulfillment | null =>
  details.type === 'ed25519-sha-256' ? null : details

const outputsFor = (recipients: readonly Recipient[], primitives: Primitives): readonly TransactionOutput[] =>
  recipients.map(({ publicKeys, amount, threshold }) => {
    const details = detailsFor(publicKeys, threshold)
    return {
      public_keys: publicKeys,
      amount,
      condition: { details, uri: conditionUri(conditionOf(details, primitives)) },
    }
  })
