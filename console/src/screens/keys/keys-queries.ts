import type { Identity, Mode, Wallet } from '@millseal/contract'
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { nextAfter } from '../../api/next-page.ts'

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

type Page = { readonly identities: readonly Identity[]; readonly after: string | undefined }

const readPage = async (company: string, mode: Mode, after: string | undefined): Promise<Page> => {
  let next: string | undefined
  const identities = await api.listIdentities({
    company,
    query: { mode, limit: 1_000, after },
    onHeaders: (headers) => {
      next = nextAfter(headers)
    },
  })
  return { identities, after: next }
}

export const identitiesQuery = (company: string, mode: Mode) =>
  infiniteQueryOptions({
    queryKey: ['identities', company, mode],
    queryFn: ({ pageParam }) => readPage(company, mode, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }) => after,
  })

export const identityQuery = (company: string, mode: Mode, id: string) =>
  queryOptions({
    queryKey: ['identity', company, mode, id],
    queryFn: () => api.readIdentity({ company, query: { mode }, params: { id } }),
  })

/** After any change of keys. */
export const refreshKeys = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    ['wallet', 'identities', 'identity', 'progress', 'transactions'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  )

/** As `docs/keys.md` has it. */
export const pathOf = ({ coinType, account, change, index }: Identity): string =>
  `m/44'/${coinType}'/${account}'/${change ?? 0}'/${index}'`

/** The beginning of every DID is the same. */
export const shortDid = (did: string): string => `…${did.slice(-12)}`
