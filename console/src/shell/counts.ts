import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useHere } from './here.ts'
import type { ScreenName } from './navigation.ts'

const pauseMs = 60_000

/** The number beside a line of the navigation; `isUrgent` if somebody should act. */
export type Shown = { readonly count: number; readonly isExact: boolean; readonly isUrgent: boolean }

const lookName = (company: string, mode: string): string => `millseal.received.${company}.${mode}`

const readReviews = async (): Promise<number> => {
  let total = 0
  await api.listReviewQueue({
    query: { limit: 1 },
    onHeaders: (headers) => {
      total = Number(headers.get('x-total-count') ?? 0)
    },
  })
  return total
}

/** Received certificates are new since this browser last showed their list. */
const useLastLook = (): string => {
  const { membership, mode } = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const name = lookName(membership?.company.id ?? '', mode)
  const isLooking = path.startsWith('/received')
  useEffect(() => {
    if (!isLooking) return
    localStorage.setItem(name, new Date().toISOString())
    void queryClient.invalidateQueries({ queryKey: ['counts'] })
  }, [isLooking, name])
  return name
}

const firstLook = '2000-01-01T00:00:00Z'

/** One call a minute, while the window is visible. */
export const useCounts = (): Partial<Record<ScreenName, Shown>> => {
  const { membership, mode, may } = useHere()
  const company = membership?.company.id
  const look = useLastLook()
  const { data: counts } = useQuery({
    queryKey: ['counts', company, mode],
    queryFn: ({ signal }) =>
      api.readCounts({
        company,
        query: { mode, receivedSince: localStorage.getItem(look) ?? firstLook },
        signal,
      }),
    enabled: company !== undefined,
    staleTime: pauseMs,
    refetchInterval: pauseMs,
  })
  const { data: reviews = 0 } = useQuery({
    queryKey: ['counts', 'reviews'],
    queryFn: readReviews,
    enabled: may('listReviewQueue'),
    staleTime: pauseMs,
    refetchInterval: pauseMs,
  })
  return {
    ...(counts !== undefined && {
      certificates: { ...counts.certificates, isUrgent: false },
      webhooks: { count: counts.failingWebhooks, isExact: true, isUrgent: true },
    }),
    ...(counts?.received !== undefined && { received: { ...counts.received, isUrgent: true } }),
    reviews: { count: reviews, isExact: true, isUrgent: true },
  }
}
