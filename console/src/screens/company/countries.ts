import { useMemo } from 'react'
import { useLanguage } from '../../texts/catalog.ts'
import { localeOf } from '../../texts/format.ts'

/** Returns the function that names a country in the language of the person. */
export const useCountryName = (): ((code: string) => string) => {
  const language = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf(language), { type: 'region' })
    return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
  }, [language])
}
