export type MailLanguage = 'en' | 'de'

const germanSpeaking = ['DE', 'AT', 'CH', 'LI']

/** The language of the country in the VAT id. */
export const languageOf = (vatId: string): MailLanguage =>
  germanSpeaking.includes(vatId.slice(0, 2).toUpperCase()) ? 'de' : 'en'
