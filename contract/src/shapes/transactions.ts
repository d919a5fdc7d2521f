import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { ledgerOperations, signatureTypes, transactionKinds } from '../vocabulary.ts'
import {
  CoinTypeValue,
  Id,
  input,
  JsonObject,
  KnownCoinType,
  ModeValue,
  oneOf,
  output,
  stored,
} from './common.ts'

const sizes = limits.transaction
const PublicKey = Type.String(limits.publicKey)
const Amount = Type.String({ pattern: '^[0-9]+$', maxLength: sizes.amountLength, examples: ['1'] })
const TransactionId = Type.String(limits.transactionId)
const Metadata = Type.Union([JsonObject, Type.Null()])
const OutputIndex = Type.Integer({ minimum: 0 })

const Recipients = Type.Array(
  input('RecipientDto', {
    publicKeys: Type.Array(PublicKey, { minItems: 1, maxItems: sizes.publicKeys }),
    amount: Amount,
  }),
  { minItems: 1, maxItems: sizes.parties },
)

export const MakeTransaction = input('MakeTransactionDto', {
  coinType: KnownCoinType,
  bcdbOptions: Type.Optional(
    input('BcdbOptionsDto', {
      operation: oneOf(ledgerOperations),
      createOptions: Type.Optional(
        input('BcdbCreateOptionsDto', {
          asset: JsonObject,
          metadata: Metadata,
          recipients: Recipients,
          issuers: Type.Array(PublicKey, { minItems: 1, maxItems: sizes.parties }),
        }),
      ),
      transferOptions: Type.Optional(
        input('BcdbTransferOptionsDto', {
          metadata: Metadata,
          recipients: Recipients,
          unspentOutputs: Type.Array(
            input('UnspentOutputDto', { txId: TransactionId, outputIndex: OutputIndex }),
            {
              minItems: 1,
              maxItems: sizes.inputs,
            },
          ),
        }),
      ),
    }),
  ),
  ethOptions: Type.Optional(
    input('EthOptionsDto', {
      from: Type.String({ maxLength: 64 }),
      to: Type.String({ maxLength: 64 }),
      value: Type.String({ maxLength: 80 }),
      gas: Type.Integer({ minimum: 0 }),
      chainId: Type.Integer({ minimum: 0 }),
    }),
  ),
})
export type MakeTransaction = Static<typeof MakeTransaction>

/** Signatures cover the whole transaction: the server never drops properties of it. */
export const BigChainTransaction = output('BigChainTransactionDto', {
  id: Type.Optional(Type.Union([TransactionId, Type.Null()])),
  inputs: Type.Array(
    output('BigChainInputDto', {
      fulfillment: Type.Unsafe<string | Record<string, unknown> | null>({
        type: ['string', 'object', 'null'],
        maxLength: sizes.fulfillmentLength,
        additionalProperties: true,
      }),
      fulfills: Type.Optional(
        Type.Union([
          output('BigChainFulfillsDto', { output_index: OutputIndex, transaction_id: TransactionId }),
          TransactionId,
          Type.Null(),
        ]),
      ),
      owners_before: Type.Array(PublicKey, { maxItems: sizes.publicKeys }),
    }),
    { maxItems: sizes.inputs },
  ),
  outputs: Type.Array(
    output('BigChainOutputDto', {
      amount: Amount,
      condition: output('BigChainConditionDto', {
        details: JsonObject,
        uri: Type.String({ maxLength: 512 }),
      }),
      public_keys: Type.Array(PublicKey, { maxItems: sizes.publicKeys }),
    }),
    { maxItems: sizes.parties },
  ),
  version: Type.String({ maxLength: 16, examples: ['2.0'] }),
  metadata: Metadata,
  asset: JsonObject,
  operation: oneOf(ledgerOperations),
})
export type BigChainTransaction = Static<typeof BigChainTransaction>

const Quantity = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ maxLength: 80 })])

export const EthereumTransaction = output('EthereumTransactionDto', {
  chain_id: Quantity,
  data: Type.String({ maxLength: limits.ethereumDataLength }),
  gas_limit: Quantity,
  gas_price: Quantity,
  nonce: Quantity,
  to: Type.String({ maxLength: 64 }),
  tx_type: Quantity,
  value: Quantity,
})
export type EthereumTransaction = Static<typeof EthereumTransaction>

export const RawTransaction = Type.Union([BigChainTransaction, EthereumTransaction])
export type RawTransaction = Static<typeof RawTransaction>

export const Transaction = output('TransactionDto', {
  ...stored,
  coinType: CoinTypeValue,
  type: oneOf(signatureTypes),
  kind: oneOf(transactionKinds, { description: 'What it records on the ledger' }),
  subject: Type.Optional(
    Type.String({
      description:
        'What it is about. certificate: the hash of its JSON in hex; identity, review and revocation: a DID; withdrawal and replacement: the `transactionId` of the certificate that it corrects',
    }),
  ),
  transactionId: Type.Optional(
    Type.String({ description: 'The id on the ledger, after the transaction was sent' }),
  ),
  signed: Type.Boolean(),
  sent: Type.Boolean(),
  fulfillments: Type.Array(Type.String()),
  mode: ModeValue,
  identities: Type.Array(Id),
  owner: Id,
})
export type Transaction = Static<typeof Transaction>

export const SignedTransaction = output('SignedTransactionDto', {
  transaction: Transaction,
  signedTx: Type.Array(RawTransaction),
  coinType: CoinTypeValue,
})
export type SignedTransaction = Static<typeof SignedTransaction>
