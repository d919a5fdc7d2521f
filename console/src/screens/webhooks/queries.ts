import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const hooksQuery = (company: string) =>
  queryOptions({ queryKey: ['hooks', company], queryFn: () => api.listHooks({ company }) })

export const hookQuery = (company: string, id: string) =>
  queryOptions({ queryKey: ['hooks', company, id], queryFn: () => api.readHook({ company, params: { id } }) })

type Wanted = { readonly company: string; readonly hook: string; readonly onlyFailed: boolean }

/** Again every few seconds, because deliveries go on while somebody watches. */
export const deliveriesQuery = ({ company, hook, onlyFailed }: Wanted) =>
  queryOptions({
    queryKey: ['deliveries', company, hook, onlyFailed],
    queryFn: () => api.listEvents({ company, query: { hook, ...(onlyFailed && { delivered: false }) } }),
    refetchInterval: 5_000,
  })

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
