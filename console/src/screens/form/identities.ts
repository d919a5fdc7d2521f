import type { Identity } from '@millseal/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Texts } from '../../texts/languages.ts'

const identitiesQuery = (company: string, mode: 'test' | 'live') =>
  queryOptions({
    queryKey: ['identities', company, mode, 'valid'],
    queryFn: () => api.listIdentities({ company, query: { mode, status: 'valid', limit: 1_000 } }),
  })

export const nameIn = ({ identityName }: Texts['form'], { name, account, index }: Identity): string =>
  name ?? identityName(account, index)

const lastIdentity = 'millseal.identity'

/** The identities that may sign here, and the chosen one: the last one used, unless somebody chooses. */
export const useIdentities = (company: string, mode: 'test' | 'live', identity: string | undefined) => {
  const { data } = useQuery(identitiesQuery(company, mode))
  const usable = (data ?? []).filter(({ isPublic }) => mode === 'test' || isPublic)
  const key = `${lastIdentity}.${company}.${mode}`
  const wanted = identity ?? localStorage.getItem(key)
  return {
    usable,
    isNone: data !== undefined && usable.length === 0,
    chosen: usable.find(({ id }) => id === wanted) ?? usable[0],
    remember: (id: string) => localStorage.setItem(key, id),
  }
}
