import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const mfaQuery = queryOptions({ queryKey: ['mfa'], queryFn: () => api.readMfa() })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => api.listSessions({ query: { limit: 1_000 } }),
})
