import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'

export const mfaQuery = queryOptions({ queryKey: ['mfa'], queryFn: () => api.readMfa() })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => api.listSessions({ query: { limit: 1_000 } }),
})

/** Call this after a change of the factors, which ends the other sessions. */
export const useFactorRefresh = () => {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [mfaQuery.queryKey, sessionQuery.queryKey, sessionsQuery.queryKey].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}
