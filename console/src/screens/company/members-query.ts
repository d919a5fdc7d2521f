import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const membersQuery = (company: string) =>
  queryOptions({
    queryKey: ['members', company],
    queryFn: () => api.listMembers({ params: { id: company }, query: { limit: 1_000 } }),
  })

/** Short, because accepted invitations become members and jobs send their mails. */
const refreshMs = 5_000

export const invitationsQuery = (company: string) =>
  queryOptions({
    queryKey: ['invitations', company],
    queryFn: () => api.listInvitations({ params: { id: company }, query: { limit: 1_000 } }),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ state }) => state === 'open') ? refreshMs : false,
  })
