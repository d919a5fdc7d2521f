import type { Identity, Mode } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/catalog.ts'

export const identitiesQuery = ({ company, mode }: { readonly company: string; readonly mode: Mode }) =>
  queryOptions({
    queryKey: ['identities', company, mode, 'all'],
    queryFn: ({ signal }) => api.listIdentities({ company, query: { mode, limit: 1_000 }, signal }),
    staleTime: 60_000,
  })

export const useIdentityName = (): ((identity: Identity) => string) => {
  const { identityName } = useTexts('certificates')
  return useCallback(({ name, account, index }) => name ?? identityName(account, index), [identityName])
}
