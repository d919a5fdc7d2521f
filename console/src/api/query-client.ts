import { QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './client.ts'

/** The client of the API retries. The cache repeats only what waited for a new session (`client.ts`). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_failures, error) => isSignedOut(error),
      retryDelay: 0,
      staleTime: 10_000,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
