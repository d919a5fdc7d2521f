import type { BigChainTransaction, Mode } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { findInFeed, type Position, readLedgerTransaction } from '../../api/ledger.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import { hashIn, signerDid } from './contents.ts'
import type { TransactionsSearch } from './transactions-search.ts'

export const transactionsQuery = (
  company: string,
  mode: Mode,
  { kind, identity, about }: TransactionsSearch,
) =>
  pagesOf(['transactions', company, mode, kind, identity, about], ({ after, ...call }) =>
    api.listTransactions({
      company,
      query: {
        mode,
        limit: 100,
        ...after,
        kind,
        identity,
        about,
      },
      ...call,
    }),
  )

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

/** Reads the position from the proof of a bundle. */
const positionIn = (proof: string): Position | undefined => {
  const index = /^index (\d+)$/m.exec(proof)?.[1]
  // The checkpoint follows: the name of the log, then its size.
  const size = /\n\n[^\n]+\n(\d+)\n/.exec(proof)?.[1]
  return index === undefined
    ? undefined
    : { index: Number(index), size: size === undefined ? undefined : Number(size) }
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

/** The certificate with this hash of its JSON; null if our company has none. */
export const certificateOfQuery = (company: string, mode: Mode, hash: string | undefined) =>
  queryOptions({
    queryKey: ['certificate of', company, mode, hash],
    queryFn: async ({ signal }) => {
      const found = await api.listCertificates({ company, query: { mode, hash, limit: 10 }, signal })
      return found.find((one) => one.hash.value === hash && one.transactionId !== undefined) ?? null
    },
    enabled: hash !== undefined,
  })

/** The transaction of our company with this id on the ledger; null if it has none. */
export const recordOfQuery = (company: string, mode: Mode, transactionId: string | undefined) =>
  queryOptions({
    queryKey: ['transaction of', company, mode, transactionId],
    queryFn: async ({ signal }) => {
      const found = await api.listTransactions({ company, query: { mode, about: transactionId }, signal })
      return found.find((one) => one.transactionId === transactionId) ?? null
    },
    enabled: transactionId !== undefined,
  })
