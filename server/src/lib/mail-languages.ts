import { type Language, languages } from '@millseal/contract'

export type MailLanguage = Language

/** One text in every language of our mails. */
export type Wording = Readonly<Record<MailLanguage, string>>

/** The languages of one mail; the first is that of its subject. */
export type MailLanguages = readonly [MailLanguage, ...MailLanguage[]]

const germanSpeaking = ['DE', 'AT', 'CH', 'LI']

const locales: Readonly<Record<MailLanguage, string>> = { en: 'en-GB', de: 'de-DE' }

/** 2,000 and 0.1 in English, 2.000 and 0,1 in German. */
export const numberIn = (language: MailLanguage, value: number): string =>
  new Intl.NumberFormat(locales[language]).format(value)

/** The language of the country in the VAT id. */
export const languageOf = (vatId: string): MailLanguage =>
  germanSpeaking.includes(vatId.slice(0, 2).toUpperCase()) ? 'de' : 'en'

/** Those of these languages (BCP 47) that our mails have, in their order; English if there is none. */
export const mailLanguagesOf = (tags: readonly string[]): MailLanguages => {
  const known = tags.flatMap((tag): readonly MailLanguage[] => {
    const [language] = tag.toLowerCase().split('-')
    return language === 'en' || language === 'de' ? [language] : []
  })
  const [first, ...others] = new Set(known)
  return first === undefined ? ['en'] : [first, ...others]
}

/** The language of our mails that a browser prefers (RFC 9110 §12.5.4). Undefined if it names none of them. */
export const preferredLanguage = (acceptLanguage: string | undefined): MailLanguage | undefined => {
  const wanted = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    const quality = parameters.find((one) => one.startsWith('q='))
    return { tag: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const known = wanted.flatMap(({ tag, quality }) => {
    const language = languages.find((one) => one === tag)
    return language !== undefined && quality > 0 ? [{ language, quality }] : []
  })
  return known.toSorted((one, other) => other.quality - one.quality)[0]?.language
}
