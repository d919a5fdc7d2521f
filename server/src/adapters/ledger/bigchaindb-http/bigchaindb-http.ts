import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import {
  assetIdOf,
  canonicalLedgerText,
  InvalidTransaction,
  signerOf,
  type SignedTransaction,
  verifyTransaction,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { assertRecordable } from '../../../ports/ledger/gate.ts'
import {
  type Ledger,
  type LedgerEntry,
  LedgerUnavailable,
  type Submission,
  TransactionRefused,
} from '../../../ports/ledger/ledger.ts'
import {
  isTransactionId,
  readHeight,
  readId,
  readList,
  readOutput,
  readReason,
  readTransaction,
  untrusted,
} from './answers.ts'
import { type Network, type NetworkOptions, openNetwork } from './network.ts'

const maxFound = 1_000
/** One certificate has a hash. Recording it again makes the list longer, but does not change the answer. */
const maxCandidates = 20
const atOnce = 8

/**
 * A network with the HTTP API of BigchainDB. It rejects duplicate transaction ids, but not duplicate certificates: those we
 * look up before submitting. Two processes that submit different transactions of one certificate at once can therefore both
 * succeed, unless the network is a Millseal.
 */
export const createBigchaindbHttpLedger = ({
  mode,
  ...options
}: NetworkOptions & { readonly mode: Mode }): Ledger => {
  const network = openNetwork(options)
  const entries = entriesOf(network)
  return {
    kind: 'bigchaindb-http',
    ...entries,
    async submit(transaction, signal, as) {
      assertRecordable(transaction, mode, as)
      return await submit({ network, entries }, transaction, signal)
    },
    async findByAsset(assetId, { operation, onlyLast } = {}) {
      const query = { asset_id: assetId, operation, last_tx: onlyLast === true ? 'true' : undefined }
      const list = readList((await network.get('/transactions', query)) ?? []).map(readTransaction)
      const foreign = list.some(
        (transaction) =>
          assetIdOf(transaction) !== assetId ||
          (operation !== undefined && transaction.operation !== operation),
      )
      if (foreign) throw untrusted('it sent transactions that were not requested')
      return await inBatches(list.slice(0, maxFound), entries.place)
    },
    async findOutputs(publicKey, { spent } = {}) {
      const query = { public_key: publicKey, spent: spent === undefined ? undefined : String(spent) }
      return readList((await network.get('/outputs', query)) ?? []).map(readOutput)
    },
    async search({ words, within, limit }) {
      const kinds = within === undefined ? (['assets', 'metadata'] as const) : ([within] as const)
      const lists = await Promise.all(
        kinds.map((kind) => network.get(`/${kind}`, { search: words, limit: String(limit) })),
      )
      const ids = new Set(lists.flatMap((list) => readList(list ?? []).map(readId)))
      return await inBatches([...ids].slice(0, Math.min(limit, maxFound)), entries.find)
    },
    proveRecords: async () => undefined,
    findCorrections: async () => [],
    operator: undefined,
    async check(signal) {
      if ((await network.get('/', {}, signal)) === undefined)
        throw new LedgerUnavailable(because('network_without_api'))
    },
    async [Symbol.asyncDispose]() {},
  }
}

type Entries = Pick<Ledger, 'find' | 'findCertificate' | 'findEntriesOf'> & {
  /** Undefined while the transaction is not in a block. */
  place(transaction: SignedTransaction): Promise<LedgerEntry | undefined>
}

const entriesOf = (network: Network): Entries => {
  const place = async (transaction: SignedTransaction) => {
    const height = readHeight((await network.get('/blocks', { transaction_id: transaction.id })) ?? [])
    return height === undefined ? undefined : { transaction, height }
  }
  const find = async (transactionId: string) => {
    if (!isTransactionId(transactionId)) return undefined
    const answer = await network.get(`/transactions/${transactionId}`)
    if (answer === undefined) return undefined
    const transaction = readTransaction(answer)
    if (transaction.id !== transactionId) throw untrusted('it sent a different transaction than requested')
    return await place(transaction)
  }
  const findAll = async (hash: string, names: readonly ('jsonHash' | 'pdfHash')[]) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) return []
    const answer = await network.get('/assets', { search: hash, limit: String(maxCandidates) })
    const ids = readList(answer ?? [])
      .slice(0, maxCandidates)
      .map(readId)
    const found = await inBatches(ids, find)
    return found
      .filter((entry) => names.some((name) => hashOf(entry.transaction, name) === hash))
      .toSorted((a, b) => a.height - b.height)
  }
  return {
    place,
    find,
    findCertificate: async (hash, file) =>
      (await findAll(hash, file === undefined ? ['jsonHash', 'pdfHash'] : [`${file}Hash`]))[0],
    findEntriesOf: (jsonHash) => findAll(jsonHash, ['jsonHash']),
  }
}

const hashOf = (transaction: SignedTransaction, name: 'jsonHash' | 'pdfHash') =>
  transaction.operation === 'CREATE' ? transaction.asset.data?.[name] : undefined

const submit = async (
  { network, entries }: { readonly network: Network; readonly entries: Entries },
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<Submission> => {
  assertValid(transaction)
  const findKnown = async (): Promise<LedgerEntry | undefined> => {
    const hash = hashOf(transaction, 'jsonHash')
    const [same, recorded] = await Promise.all([
      entries.find(transaction.id),
      typeof hash === 'string' ? entries.findEntriesOf(hash) : [],
    ])
    return same ?? standingFor(transaction, recorded)
  }
  signal?.throwIfAborted()
  const known = await findKnown()
  if (known !== undefined) return { entry: known, isNew: false }
  const { status, body } = await network.post(
    '/transactions?mode=commit',
    canonicalLedgerText(transaction),
    signal,
  )
  if (status === 202) return { entry: await committed(entries, transaction), isNew: true }
  // Another process may have submitted the same transaction or certificate first.
  const other = await findKnown()
  if (other !== undefined) return { entry: other, isNew: false }
  const reason = readReason(body)
  throw new TransactionRefused(reason, reason.includes('(DoubleSpend)') ? 'conflict' : 'invalid')
}

/** One entry for each signer, if this transaction says that it stands beside the first one. */
const standingFor = (
  transaction: SignedTransaction,
  recorded: readonly LedgerEntry[],
): LedgerEntry | undefined => {
  const [first] = recorded
  const beside = transaction.operation === 'CREATE' ? transaction.asset.data?.['beside'] : undefined
  if (first === undefined || beside !== first.transaction.id) return first
  const signer = signerOf(transaction)
  return recorded.find((entry) => signer === undefined || signerOf(entry.transaction) === signer)
}

const assertValid = (transaction: SignedTransaction): void => {
  try {
    verifyTransaction(transaction, nodePrimitives)
  } catch (error) {
    throw error instanceof InvalidTransaction ? new TransactionRefused(error.message) : error
  }
}

/** The network accepted it, but it is only recorded for everyone once it can be read. */
const committed = async ({ find }: Entries, { id }: SignedTransaction): Promise<LedgerEntry> => {
  const entry = await find(id)
  if (entry === undefined) throw new LedgerUnavailable(because('network_late', { transaction: id }))
  return entry
}

/** A few at a time, in order. Items that are not found are left out. */
const inBatches = async <T, R>(
  items: readonly T[],
  ask: (item: T) => Promise<R | undefined>,
): Promise<readonly R[]> => {
  const answers: R[] = []
  for (let at = 0; at < items.length; at += atOnce)
    for (const answer of await Promise.all(items.slice(at, at + atOnce).map(ask)))
      if (answer !== undefined) answers.push(answer)
  return answers
}
