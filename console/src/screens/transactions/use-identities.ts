import type { Identity } from '@millseal/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHere } from '../../shell/here.ts'
import { identitiesQuery } from '../keys/keys-queries.ts'

/** The identities of the company by id; the first thousand. */
export const useIdentities = (): ReadonlyMap<string, Identity> => {
  const { company, mode } = useHere()
  const { data } = useInfiniteQuery(identitiesQuery(company, mode))
  return useMemo(
    () => new Map(data?.pages.flatMap(({ identities }) => identities).map((each) => [each.id, each])),
    [data],
  )
}
