import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const membersQuery = (company: string) =>
  queryOptions({
    queryKey: ['members', company],
    queryFn: () => api.listMembers({ params: { id: company }, query: { limit: 1_000 } }),
  })
