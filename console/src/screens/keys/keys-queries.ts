import type { Identity, Mode, Wallet } from '@millseal/contract'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import type { KeysSearch } from './keys-search.ts'

const readWallet = async (company: string, mode: Mode): Promise<Wallet | null> => {
  try {
    return await api.readWalletOfCompany({ params: { id: company }, query: { mode } })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Null if the company has no wallet in this mode. */
export const walletQuery = (company: string, mode: Mode) =>
  queryOptions({ queryKey: ['wallet', company, mode], queryFn: () => readWallet(company, mode) })

export const identityPages = (company: string, mode: Mode, { text, status }: KeysSearch) =>
  pagesOf(['identities', company, mode, 'pages', text, status], ({ after, ...call }) =>
    api.listIdentities({
      company,
      query: {
        mode,
        ...after,
        text,
        status,
      },
      ...call,
    }),
  )

export const identityQuery = (company: string, mode: Mode, id: string) =>
  queryOptions({
    queryKey: ['identity', company, mode, id],
    queryFn: () => api.readIdentity({ company, query: { mode }, params: { id } }),
  })

/** Call this after any change of keys. */
export const refreshKeys = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    ['wallet', 'identities', 'identity', 'progress', 'transactions'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  )

/** The path that `docs/keys.md` describes. */
export const pathOf = ({ coinType, account, change, index }: Identity): string =>
  `m/44'/${coinType}'/${account}'/${change ?? 0}'/${index}'`

/** All DIDs begin alike, so the end tells them apart. */
export const shortDid = (did: string): string => `…${did.slice(-12)}`
