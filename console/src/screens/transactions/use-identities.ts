import type { Identity } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHere } from '../../shell/here.ts'
import { identitiesQuery } from '../certificates/data/identities.ts'

/** The identities of the company by id; the first thousand. */
export const useIdentities = (): ReadonlyMap<string, Identity> => {
  const { company, mode } = useHere()
  const { data } = useQuery(identitiesQuery({ company, mode }))
  return useMemo(() => new Map(data?.map((each) => [each.id, each])), [data])
}
