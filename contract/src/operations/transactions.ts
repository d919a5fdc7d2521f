import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, idOf, KnownCoinType, oneOf } from '../shapes/common.ts'
import { MakeTransaction, RawTransaction, SignedTransaction, Transaction } from '../shapes/transactions.ts'
import { signatureTypes, transactionKinds } from '../vocabulary.ts'

const transactions = {
  service: 'km-service',
  variant: 'both',
  access: 'bearer',
  company: 'required',
  mode: 'query',
  liveGate: true,
} as const
const raw = { kind: 'json', schema: RawTransaction } as const
const signing = {
  query: Type.Object({ identity: idOf('The identity that signs'), type: oneOf(signatureTypes) }),
  body: raw,
  errors: [
    'transaction_invalid',
    'identity_not_usable',
    'wallet_disabled',
    'not_found',
    'signature_type_unsupported',
    'coin_type_unsupported',
  ],
} as const

export const buildTransaction = operation({
  ...transactions,
  id: 'transactions.build',
  method: 'POST',
  path: '/transactions',
  summary: 'Build a transaction',
  description: 'Stores and sends nothing. Sign the returned transaction, then send it.',
  scope: [
    { resource: 'transactions', action: 'create_one' },
    { resource: 'transactions', action: 'sign' },
  ],
  body: { kind: 'json', schema: MakeTransaction },
  answer: { kind: 'json', status: 200, schema: RawTransaction },
  errors: ['transaction_invalid', 'coin_type_unsupported'],
  idempotency: 'repeatable',
})

export const partialSignTransaction = operation({
  ...transactions,
  ...signing,
  variant: 'current',
  id: 'transactions.partial_sign',
  method: 'POST',
  path: '/transactions/partial-sign',
  summary: 'Add one of several signatures to a transaction',
  description: 'For outputs with several owners. Call it again with the answer until every owner has signed.',
  scope: [{ resource: 'transactions', action: 'partial_sign' }],
  answer: { kind: 'json', status: 200, schema: RawTransaction },
  idempotency: 'repeatable',
})

export const signTransaction = operation({
  ...transactions,
  ...signing,
  id: 'transactions.sign',
  method: 'POST',
  path: '/transactions/sign',
  summary: 'Sign a transaction with an identity',
  description:
    'In live mode, an asset with `jsonHash` or `pdfHash` is refused: notarize the certificate instead.',
  scope: [{ resource: 'transactions', action: 'sign' }],
  answer: { kind: 'json', status: 200, schema: SignedTransaction },
})

export const sendTransaction = operation({
  ...transactions,
  id: 'transactions.send',
  method: 'POST',
  path: '/transactions/send',
  summary: 'Send a signed transaction to the ledger',
  description:
    'Sending the same transaction again returns the existing entry. In live mode, an asset with `jsonHash` or `pdfHash` is refused: notarize the certificate instead.',
  scope: [{ resource: 'transactions', action: 'send' }],
  query: Type.Object({ coinType: KnownCoinType }),
  body: raw,
  answer: { kind: 'json', status: 200, schema: SignedTransaction },
  errors: ['transaction_invalid', 'transaction_conflict', 'coin_type_unsupported', 'not_found'],
})

export const listTransactions = operation({
  ...transactions,
  id: 'transactions.list',
  method: 'GET',
  path: '/transactions',
  summary: 'List the transactions of the company',
  description: `The newest come first. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'transactions', action: 'read_many' }],
  query: Type.Object({
    kind: Type.Optional(oneOf(transactionKinds)),
    identity: Type.Optional(idOf('Signed by this identity')),
    about: Type.Optional(
      Type.String({
        ...limits.transactionSubject,
        description:
          'A `transactionId`, the hash of the JSON of a certificate, or a DID: finds the transaction that has this id, and those whose `subject` is this',
      }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Transaction) },
  list: true,
})

export const searchLedger = operation({
  ...transactions,
  id: 'transactions.search_ledger',
  method: 'GET',
  path: '/transactions/ledger',
  summary: 'Search the ledger by words',
  description: 'Searches assets and metadata, or only what `key` names.',
  scope: [{ resource: 'transactions', action: 'read_many' }],
  query: Type.Object({
    query: Type.String(limits.ledgerQuery),
    key: Type.Optional(oneOf(['assets', 'metadata'])),
    coinType: KnownCoinType,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.page.max, default: limits.page.default }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(RawTransaction) },
  errors: ['coin_type_unsupported', 'not_found'],
})

export const readTransaction = operation({
  ...transactions,
  id: 'transactions.read',
  method: 'GET',
  path: '/transactions/{id}',
  summary: 'Read a transaction',
  scope: [{ resource: 'transactions', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Transaction },
})
