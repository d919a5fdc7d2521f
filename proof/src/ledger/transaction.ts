import type { JsonValue } from '../json/read.ts'

/** BigchainDB transactions, version 2.0. The property names are part of what is hashed and signed. */
export type Ed25519Details = { readonly type: 'ed25519-sha-256'; readonly public_key: string }
export type ThresholdDetails = {
  readonly type: 'threshold-sha-256'
  readonly threshold: number
  readonly subconditions: readonly ConditionDetails[]
}
export type ConditionDetails = Ed25519Details | ThresholdDetails

export type TransactionOutput = {
  readonly public_keys: readonly string[]
  /** Decimal, 1 to 9·10^18. */
  readonly amount: string
  readonly condition: { readonly details: ConditionDetails; readonly uri: string }
}

export type SpentOutput = { readonly transaction_id: string; readonly output_index: number }

export type LedgerObject = { readonly [key: string]: JsonValue }

type Shared = {
  readonly version: '2.0'
  readonly metadata: LedgerObject | null
  readonly outputs: readonly TransactionOutput[]
}

type Input<Fulfills, Fulfillment> = {
  readonly owners_before: readonly string[]
  readonly fulfills: Fulfills
  readonly fulfillment: Fulfillment
}

type Create<Fulfillment> = Shared & {
  readonly operation: 'CREATE'
  readonly asset: { readonly data: LedgerObject | null }
  readonly inputs: readonly Input<null, Fulfillment>[]
}

type Transfer<Fulfillment> = Shared & {
  readonly operation: 'TRANSFER'
  readonly asset: { readonly id: string }
  readonly inputs: readonly Input<SpentOutput, Fulfillment>[]
}

/** `id` is the SHA3-256 of everything else, including fulfillments. */
export type SignedTransaction = (Create<string> | Transfer<string>) & { readonly id: string }

/** A partly fulfilled condition: leaves get their signatures (base64url) one by one. */
export type PendingFulfillment =
  | (Ed25519Details & { readonly signature?: string })
  | (Omit<ThresholdDetails, 'subconditions'> & { readonly subconditions: readonly PendingFulfillment[] })

/** `null` means that all of `owners_before` must sign; a string is a complete fulfillment. */
export type UnsignedTransaction = (
  | Create<string | PendingFulfillment | null>
  | Transfer<string | PendingFulfillment | null>
) & { readonly id: null }

/** The error names of BigchainDB. */
export type TransactionFault =
  | 'SchemaValidationError'
  | 'ValidationError'
  | 'InvalidHash'
  | 'InvalidSignature'
  | 'AmountError'
  | 'ThresholdTooDeep'
  | 'DuplicateTransaction'
  | 'InputDoesNotExist'
  | 'DoubleSpend'
  | 'AssetIdMismatch'

/** The message is the complete error text of BigchainDB. */
export class InvalidTransaction extends Error {
  override readonly name = 'InvalidTransaction'
  readonly fault: TransactionFault

  constructor(fault: TransactionFault, reason: string) {
    super(
      fault === 'SchemaValidationError'
        ? `Invalid transaction schema: ${reason}`
        : `Invalid transaction (${fault}): ${reason}`,
    )
    this.fault = fault
  }
}

/** The maximum length of a leaf (c2sp.org/tlog-tiles: the length has 16 bits). */
export const largestTransactionBytes = 65_535
