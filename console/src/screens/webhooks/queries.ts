import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import type { DeliveriesSearch } from './deliveries-search.ts'

export const hooksQuery = (company: string) =>
  queryOptions({ queryKey: ['hooks', company], queryFn: () => api.listHooks({ company }) })

export const hookQuery = (company: string, id: string) =>
  queryOptions({ queryKey: ['hooks', company, id], queryFn: () => api.readHook({ company, params: { id } }) })

type Wanted = DeliveriesSearch & { readonly company: string; readonly hook: string }

/** Deliveries continue while somebody watches. */
export const refetchInterval = 5_000

export const deliveriesQuery = ({ company, hook, text, outcome, event }: Wanted) => {
  const [resource, action] = event?.split('/') ?? []
  return {
    ...pagesOf(['deliveries', company, hook, text, outcome, event], ({ after, ...call }) =>
      api.listEvents({
        company,
        query: {
          hook,
          limit: 50,
          ...after,
          text,
          delivered: outcome && outcome === 'arrived',
          resource,
          action,
        },
        ...call,
      }),
    ),
    refetchInterval,
  }
}
