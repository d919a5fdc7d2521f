import { en } from './src/verify/texts/en.ts'

type Named = { readonly [name: string]: unknown }

const namesIn = (texts: Named): readonly string[] =>
  Object.entries(texts).flatMap(([name, text]) => [
    name,
    ...(typeof text === 'object' && !Array.isArray(text) ? namesIn(text as Named) : []),
  ])

/** Names inside our own code: they are in no JSON, and no browser knows them. */
const inside = [
  'alone',
  'answer',
  'character',
  'checkFile',
  'checkpoint',
  'chooseLanguage',
  'choosePolicy',
  'compare',
  'confirmed',
  'cosignerPublicKey',
  'cosigners',
  'dataAt',
  'differences',
  'fingerprint',
  'hasExtra',
  'hasFiles',
  'hashes',
  'hashing',
  'ignored',
  'isDemanded',
  'isNamed',
  'isOnline',
  'isOwnLog',
  'isStatusOld',
  'isUnasked',
  'isUnconfirmed',
  'keyId',
  'kinds',
  'knownBy',
  'locale',
  'maxDepth',
  'maxStatusAgeDays',
  'modes',
  'mostBytes',
  'mostFileBytes',
  'newest',
  'nobody',
  'notarized',
  'pointer',
  'reading',
  'replacement',
  'reviewed',
  'same',
  'scanned',
  'selfName',
  'sha3_256',
  'signedBy',
  'statePath',
  'statusAgeDays',
  'threshold',
  'timeSeconds',
  'unasked',
  'unconfirmed',
  'verifyEd25519',
  'witnesses',
]

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
  const isUnsaid = (name: string): boolean =>
    codes.every(({ code }) => !new RegExp(`["'\`]${name}["'\`]`).test(code))
  const isOurs = (name: string): boolean =>
    /[A-Z]/.test(name) && others.every(({ code }) => !new RegExp(`\\b${name}\\b`).test(code))
  const names = [...inside, ...namesIn(en).filter(isOurs)].filter(isUnsaid)
  return new RegExp(`^(?:${[...new Set(names)].join('|')})$`)
}
