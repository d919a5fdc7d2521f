import { de } from './de.ts'
import { en } from './en.ts'

/** Every text of the page. Another language is a further file. */
export type Texts = typeof en

/** Says something in the language of the reader. */
export type Say = (texts: Texts) => string

const languages = { en, de }
type Language = keyof typeof languages

const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value)

/** The language that the page asks for, or that of the browser. */
export const languageOf = (wanted: string | null): Language =>
  [wanted ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'

export const textsIn = (language: Language): Texts => languages[language]
