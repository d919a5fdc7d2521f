import type { BigChainTransaction, Mode } from '@millseal/contract'
import { ApiError } from './client.ts'

/** Reads the public face of the ledger, which is no part of the API. Undefined if the ledger does not have it. */
const read = async (path: string, signal: AbortSignal): Promise<unknown> => {
  const response = await fetch(path, { headers: { accept: 'application/json' }, signal })
  if (response.status === 404) return undefined
  if (!response.ok) throw new ApiError(response, undefined)
  return response.json()
}

type Wanted = { readonly mode: Mode; readonly id: string; readonly signal: AbortSignal }

export const readLedgerTransaction = async ({
  mode,
  id,
  signal,
}: Wanted): Promise<BigChainTransaction | undefined> =>
  (await read(`/ledger/${mode}/api/v1/transactions/${encodeURIComponent(id)}`, signal)) as
    | BigChainTransaction
    | undefined

/** The place of an entry in the log. */
export type Position = { readonly index: number; readonly size?: number; readonly time?: string }

/** Looks for a key among the newest entries. Undefined if its entry is older or not listed yet. */
export const findInFeed = async ({
  mode,
  did,
  id,
  signal,
}: Wanted & { readonly did: string }): Promise<Position | undefined> => {
  const items = (await read(`/ledger/${mode}/feed?${new URLSearchParams({ did })}`, signal)) as
    | readonly { readonly transactionId: string; readonly index: number; readonly time?: string }[]
    | undefined
  return items?.find(({ transactionId }) => transactionId === id)
}
