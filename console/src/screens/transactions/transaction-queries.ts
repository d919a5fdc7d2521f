import type { BigChainTransaction, Mode, Transaction } from '@millseal/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { findInFeed, type Position, readLedgerTransaction } from '../../api/ledger.ts'
import { nextAfter } from '../../api/next-page.ts'
import { hashIn, signerDid } from './contents.ts'

type Page = { readonly transactions: readonly Transaction[]; readonly after: string | undefined }

const readPage = async (company: string, mode: Mode, after: string | undefined): Promise<Page> => {
  let next: string | undefined
  const transactions = await api.listTransactions({
    company,
    query: { mode, limit: 100, after },
    onHeaders: (headers) => {
      next = nextAfter(headers)
    },
  })
  return { transactions, after: next }
}

export const transactionsQuery = (company: string, mode: Mode) =>
  infiniteQueryOptions({
    queryKey: ['transactions', company, mode],
    queryFn: ({ pageParam }) => readPage(company, mode, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }) => after,
  })

export const transactionQuery = (company: string, mode: Mode, id: string) =>
  queryOptions({
    queryKey: ['transactions', company, mode, id],
    queryFn: () => api.readTransaction({ company, query: { mode }, params: { id } }),
  })

/** Null if this ledger does not have it. */
export const rawQuery = (mode: Mode, id: string | undefined) =>
  queryOptions({
    queryKey: ['ledger transaction', mode, id],
    queryFn: async ({ signal }) => (await readLedgerTransaction({ mode, id: id ?? '', signal })) ?? null,
    enabled: id !== undefined,
  })

/** As a bundle has it. */
const positionIn = (proof: string): Position | undefined => {
  const index = /^index (\d+)$/m.exec(proof)?.[1]
  // The checkpoint follows: the name of the log, then its size.
  const size = /\n\n[^\n]+\n(\d+)\n/.exec(proof)?.[1]
  return index === undefined
    ? undefined
    : { index: Number(index), ...(size !== undefined && { size: Number(size) }) }
}

const findPosition = async (
  mode: Mode,
  raw: BigChainTransaction,
  signal: AbortSignal,
): Promise<Position | null> => {
  const hash = hashIn(raw)
  if (hash !== undefined) {
    const { proof, entry } = await api.readProof({ params: { hash }, query: { mode }, signal })
    const position = positionIn(proof)
    return position === undefined ? null : { ...position, time: entry.time }
  }
  const did = signerDid(raw)
  const { id } = raw
  if (did === undefined || id === undefined || id === null) return null
  return (await findInFeed({ mode, did, id, signal })) ?? null
}

const laterMs = 2_000

/** Null while the lists of the log do not have it yet. */
export const positionQuery = (mode: Mode, raw: BigChainTransaction) =>
  queryOptions({
    queryKey: ['position', mode, raw.id],
    queryFn: ({ signal }) => findPosition(mode, raw, signal),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data === null && dataUpdateCount < 5 ? laterMs : false,
  })
