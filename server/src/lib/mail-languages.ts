export type MailLanguage = 'en' | 'de'

/** One text in every language of our mails. */
export type Wording = Readonly<Record<MailLanguage, string>>

/** The languages of one mail; the first is that of its subject. */
export type MailLanguages = readonly [MailLanguage, ...MailLanguage[]]

const germanSpeaking = ['DE', 'AT', 'CH', 'LI']

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
