import { canonicalLedgerText } from '@millseal/proof'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { BigchaindbError, notFound, sendJson } from './bigchaindb-error.ts'
import {
  asBoolean,
  asCount,
  asOperation,
  asPublicKey,
  assertOnly,
  asText,
  asTransactionId,
  type RequestQuery,
  optional,
  required,
} from './query.ts'

/** Limits per client and minute, lower for calls that read many entries. */
const one = { bucket: 'ledger.read', perMinute: 600 }
const many = { bucket: 'ledger.list', perMinute: 120 }
const maxResults = 1_000

type Find = (ledger: LedgerFaceSource, request: FastifyRequest) => Promise<unknown>

/** The public read operations under `/api/v1`. */
export const registerReads = (server: FastifyInstance, ledger: () => LedgerFaceSource): void => {
  const answer = (path: string, limited: typeof one, find: Find) =>
    server.get(path, { config: { limited } }, async (request, reply) =>
      sendJson(reply, canonicalLedgerText(await find(ledger(), request))),
    )
  answer('/transactions/:id', one, findTransaction)
  answer('/transactions', many, listTransactions)
  answer('/outputs', many, listOutputs)
  answer('/assets', many, (source, request) => search(source, queryOf(request), 'assets'))
  answer('/metadata', many, (source, request) => search(source, queryOf(request), 'metadata'))
  answer('/blocks/:height', one, findBlock)
  answer('/blocks', one, listBlocks)
  answer('/validators', one, listValidators)
}

export const queryOf = (request: FastifyRequest): RequestQuery => request.query as RequestQuery

const parameterOf = (request: FastifyRequest, name: string): string =>
  (request.params as Readonly<Record<string, string>>)[name] ?? ''

const findTransaction: Find = async (ledger, request) => {
  const id = parameterOf(request, 'id')
  const entry = /^[0-9a-f]{64}$/.test(id) ? await ledger.find(id) : undefined
  if (entry === undefined) throw notFound()
  return entry.transaction
}

const listTransactions: Find = async (ledger, request) => {
  const query = queryOf(request)
  const operation = optional(query, 'operation', asOperation)
  const assetId = required(query, 'asset_id', asTransactionId)
  const onlyLast = optional(query, 'last_tx', asBoolean) ?? false
  const entries = await ledger.findByAsset(assetId, { onlyLast, operation })
  return entries.map(({ transaction }) => transaction)
}

const listOutputs: Find = async (ledger, request) => {
  const query = queryOf(request)
  const publicKey = required(query, 'public_key', asPublicKey)
  const spent = optional(query, 'spent', asBoolean)
  assertOnly(query, 'public_key', 'spent')
  const outputs = await ledger.findOutputs(publicKey, { spent })
  return outputs.map(({ transactionId, outputIndex }) => ({
    transaction_id: transactionId,
    output_index: outputIndex,
  }))
}

const search = async (
  ledger: LedgerFaceSource,
  query: RequestQuery,
  within: 'assets' | 'metadata',
): Promise<unknown> => {
  const words = required(query, 'search', asText)
  const limit = optional(query, 'limit', asCount)
  if (words === '') throw new BigchaindbError(400, 'text_search cannot be empty')
  if (words.length > 256) throw new BigchaindbError(400, 'text_search is longer than 256 characters')
  // As in BigchainDB, a limit of 0 means no limit.
  const wanted = limit === undefined || limit === 0 ? maxResults : Math.min(limit, maxResults)
  const entries = await ledger.search({ words, within, limit: wanted })
  return entries.map(({ transaction: { id, asset, metadata } }) =>
    within === 'metadata' ? { id, metadata } : { id, data: 'data' in asset ? asset.data : null },
  )
}

const findBlock: Find = async (ledger, request) => {
  const text = parameterOf(request, 'height')
  const height = Number(text)
  const block =
    /^\d+$/.test(text) && Number.isSafeInteger(height) ? await ledger.findBlock(height) : undefined
  if (block === undefined) throw notFound()
  return block
}

const listBlocks: Find = async (ledger, request) => {
  const query = queryOf(request)
  const id = required(query, 'transaction_id', asText)
  assertOnly(query, 'transaction_id')
  const entry = /^[0-9a-f]{64}$/.test(id) ? await ledger.find(id) : undefined
  return entry === undefined ? [] : [entry.height]
}

const listValidators: Find = async (ledger) =>
  (await ledger.listValidators()).map(({ publicKey, votingPower }) => ({
    public_key: { type: 'ed25519-base64', value: Buffer.from(publicKey).toString('base64') },
    voting_power: votingPower,
  }))
