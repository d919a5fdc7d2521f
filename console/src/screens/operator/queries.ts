import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pagesOf } from '../../ui/list/pages.ts'
import type { ReviewsSearch } from './searches.ts'

const pageSize = 50
const quietMs = 600_000

/** Companies that wait for a review, unless another state is given. */
export const queueQuery = ({ state = 'pending', text }: ReviewsSearch) =>
  pagesOf(['operator', 'queue', state, text], ({ after, ...call }) =>
    api.listReviewQueue({
      query: { state, limit: pageSize, ...after, text },
      ...call,
    }),
  )

export const companyQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'company', id],
    queryFn: ({ signal }) => api.readCompany({ params: { id }, signal }),
  })

export const reviewsQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'reviews', id],
    queryFn: ({ signal }) => api.listReviews({ params: { id }, query: { limit: 100 }, signal }),
  })

export const nameCheckQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'name-check', id],
    queryFn: ({ signal }) => api.checkCompanyName({ params: { id }, signal }),
  })

/** Stays the same while a person compares; a button asks again. */
export const evidenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['evidence', id],
    queryFn: ({ signal }) => api.readEvidence({ params: { id }, signal }),
    staleTime: quietMs,
    refetchOnWindowFocus: false,
  })

/** Names hardly change, so they are read once. A deleted company or user keeps its id. */
export const companyNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['name', 'company', id],
    queryFn: async ({ signal }) => (await api.readCompany({ params: { id }, signal })).name,
    staleTime: quietMs,
  })

export const userNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['name', 'user', id],
    queryFn: async ({ signal }) => (await api.readUser({ params: { id }, signal })).username,
    staleTime: quietMs,
  })
