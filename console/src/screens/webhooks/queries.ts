import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import type { DeliveriesSearch } from './deliveries-search.ts'

export const hooksQuery = (company: string) =>
  queryOptions({ queryKey: ['hooks', company], queryFn: () => api.listHooks({ company }) })

export const hookQuery = (company: string, id: string) =>
  queryOptions({ queryKey: ['hooks', company, id], queryFn: () => api.readHook({ company, params: { id } }) })

type Wanted = DeliveriesSearch & { readonly company: string; readonly hook: string }

/** Again every few seconds, because deliveries go on while somebody watches. */
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
          ...(text !== undefined && { text }),
          ...(outcome !== undefined && { delivered: outcome === 'arrived' }),
          ...(resource !== undefined && { resource }),
          ...(action !== undefined && { action }),
        },
        ...call,
      }),
    ),
    refetchInterval: 5_000,
  }
}

/** The deliveries of the company that failed at least once and are not delivered yet, by webhook. */
export const failuresQuery = (company: string) =>
  queryOptions({
    queryKey: ['deliveries', company, 'failures'],
    queryFn: async () => {
      const failed = await api.listEvents({ company, query: { delivered: false, limit: 1_000 } })
      return Object.groupBy(
        failed.filter(({ deliveryError }) => deliveryError !== undefined),
        ({ hook }) => hook.id,
      )
    },
  })
