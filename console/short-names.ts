import { en } from './src/verify/texts/en.ts'

type Named = { readonly [name: string]: unknown }

const namesIn = (texts: Named): readonly string[] =>
  Object.entries(texts).flatMap(([name, text]) => [
    name,
    ...(typeof text === 'object' && !Array.isArray(text) ? namesIn(text as Named) : []),
  ])

const withoutComments = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/**
 * Names of sentences of the page that verifies, which no other part of it has for anything and no string says: they may
 * become shorter. Names without a capital may be those of attributes. `modules` are its modules, built but not minified.
 */
export const namesToShorten = (
  modules: Readonly<Record<string, { readonly code: string | null }>>,
): RegExp => {
  const codes = Object.entries(modules).map(([id, { code }]) => ({ id, code: withoutComments(code ?? '') }))
  const others = codes.filter(({ id }) => !id.includes('/src/verify/'))
  const isOurs = (name: string): boolean =>
    /[A-Z]/.test(name) &&
    codes.every(({ code }) => !new RegExp(`["'\`]${name}["'\`]`).test(code)) &&
    others.every(({ code }) => !new RegExp(`\\b${name}\\b`).test(code))
  return new RegExp(`^(?:${[...new Set(namesIn(en))].filter(isOurs).join('|')})$`)
}
