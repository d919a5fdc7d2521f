import { useMemo } from 'react'
import type { Language } from './languages.ts'
import { useLanguage } from './catalog.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

export type Formats = {
  /** 22 Nov 2026, 09:14 */
  readonly time: (value: string | number | Date) => string
  /** 09:14 */
  readonly shortTime: (value: string | number | Date) => string
  /** 09:14:02 */
  readonly clock: (value: string | number | Date) => string
  /** 22 November 2026 */
  readonly date: (value: string | number | Date) => string
  readonly number: (value: number) => string
  /** in 3 days, 2 hours ago */
  readonly relative: (value: string | number | Date, now?: number) => string
  readonly bytes: (value: number) => string
}

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const formatsIn = (locale: string): Formats => {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const shortTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const number = new Intl.NumberFormat(locale)
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const kilobytes = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 1,
  })
  return {
    time: (value) => time.format(new Date(value)),
    shortTime: (value) => shortTime.format(new Date(value)),
    clock: (value) => clock.format(new Date(value)),
    date: (value) => date.format(new Date(value)),
    number: (value) => number.format(value),
    relative(value, now = Date.now()) {
      const seconds = (new Date(value).getTime() - now) / 1_000
      const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? steps[3]
      return relative.format(Math.round(seconds / size), unit)
    },
    bytes: (value) => kilobytes.format(value / 1_000),
  }
}

export const useFormats = (): Formats => {
  const language = useLanguage()
  return useMemo(() => formatsIn(locales[language]), [language])
}

export const localeOf = (language: Language): string => locales[language]
