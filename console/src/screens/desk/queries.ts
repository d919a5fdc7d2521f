import type { Mode } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import type { DeskSearch } from './desk-search.ts'

type Of = { readonly company: string; readonly mode: Mode }

export const entriesQuery = ({ company, mode }: Of, { text, state = 'new', advice }: DeskSearch) =>
  pagesOf(['inbox', company, mode, text, state, advice], ({ after, ...call }) =>
    api.listInbox({
      company,
      query: { mode, limit: 50, ...after, text, advice, state: state === 'all' ? undefined : state },
      ...call,
    }),
  )

export const countsQuery = ({ company, mode }: Of) =>
  queryOptions({
    queryKey: ['inbox', company, mode, 'counts'],
    queryFn: ({ signal }) => api.countInbox({ company, query: { mode }, signal }),
  })

export const entryQuery = ({ company, id }: { readonly company: string; readonly id: string }) =>
  queryOptions({
    queryKey: ['inbox', company, id],
    queryFn: ({ signal }) => api.readInboxEntry({ company, params: { id }, signal }),
  })

const most = 1_000

export const requirementsQuery = (company: string) =>
  queryOptions({
    queryKey: ['requirements', company, 'names'],
    queryFn: ({ signal }) => api.listRequirements({ company, query: { limit: most }, signal }),
  })

/** After whatever changes an entry: it moves from one list to another. */
export const refreshDesk = (company: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['inbox', company] })
