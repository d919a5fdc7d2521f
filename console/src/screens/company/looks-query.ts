import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const looksQuery = (company: string) =>
  queryOptions({
    queryKey: ['looks', company],
    queryFn: () => api.listLooks({ params: { id: company }, query: { limit: 1_000 } }),
  })
