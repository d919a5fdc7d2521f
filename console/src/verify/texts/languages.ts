import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

/** To add a language, add a file and an entry here. */
const languages = { en, de }
export type Language = keyof typeof languages

const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value)

/** The language that the page asks for, or that of the browser. */
export const languageOf = (wanted: string | null): Language =>
  [wanted ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'

export const textsIn = (language: Language): Texts => languages[language]

export const otherLanguages = (language: Language): readonly Language[] =>
  Object.keys(languages).filter((other): other is Language => other !== language)
