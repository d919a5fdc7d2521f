import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLanguage } from '../texts/catalog.ts'
import { api } from './client.ts'

/** The families of certificates, in the order in which people choose. They change with a release only. */
export const familiesQuery = queryOptions({
  queryKey: ['certificate-families'],
  queryFn: () => api.listCertificateFamilies(),
  staleTime: Infinity,
  gcTime: Infinity,
})

export const suffix = '-schemas'

export type KindName = { readonly title: string; readonly description: string }

/** Returns what people call certificates of a type, which is given without its suffix. */
export const useKindNames = (): ((kind: string) => KindName) => {
  const language = useLanguage()
  const { data } = useSuspenseQuery(familiesQuery)
  return useCallback(
    (kind) => {
      const known = data.flatMap(({ types }) => types).find(({ type }) => type === `${kind}${suffix}`)
      return known === undefined
        ? { title: inWords(kind), description: '' }
        : { title: known.title[language], description: known.description[language] }
    },
    [data, language],
  )
}

/** `welding-report` of an imported type becomes `Welding report`. */
const inWords = (kind: string): string => {
  const words = kind.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
