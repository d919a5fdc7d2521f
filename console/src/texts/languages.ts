import type { texts as common } from './en/common.ts'
import type { texts as form } from './en/form.ts'
import type { texts as problems } from './en/problems.ts'
import type { texts as shell } from './en/shell.ts'
import type { texts as start } from './en/start.ts'

/** The languages of the console: a further one is a folder beside `en` and an entry here. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The texts by area, which are the files of a language. A screen loads the areas that its route names. */
export type Texts = {
  readonly common: typeof common
  readonly form: typeof form
  readonly problems: typeof problems
  readonly shell: typeof shell
  readonly start: typeof start
}
export type Area = keyof Texts

const files = import.meta.glob<{ texts: Texts[Area] }>('./*/*.ts')

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

export const loadArea = async (language: Language, area: Area): Promise<Texts[Area]> => {
  const load = files[`./${language}/${area}.ts`]
  if (load === undefined) throw new Error(`There are no texts ${language}/${area}`)
  return (await load()).texts
}
