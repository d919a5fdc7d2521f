export type MailLanguage = 'en' | 'de'

const germanSpeaking = ['DE', 'AT', 'CH', 'LI']

/** That of the country a company is in, as its VAT id says. */
export const languageOf = (vatId: string): MailLanguage =>
  germanSpeaking.includes(vatId.slice(0, 2).toUpperCase()) ? 'de' : 'en'
