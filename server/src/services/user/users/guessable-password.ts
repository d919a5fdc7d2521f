import { readFile } from 'node:fs/promises'

/** What people put into the password of this service. docs/passwords.md lists them. */
const serviceWords = [
  'millseal',
  'certificate',
  'zeugnis',
  'notarize',
  'password',
  'passwort',
  'welcome',
  'willkommen',
]

/** Shorter words are in too many good passwords. */
const minWordLength = 4
/** A password needs so many letters besides a word that can be guessed. */
const minOtherLetters = 5

const plain = (text: string): string => text.normalize('NFKD').toLowerCase()

const lettersOf = (text: string): string => plain(text).replaceAll(/[^\p{L}]/gu, '')

const signs: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '!': 'l',
  i: 'l',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

const withLettersForSigns = (text: string): string =>
  lettersOf(plain(text).replaceAll(/[01!i34@5$7]/g, (sign) => signs[sign] ?? sign))

const partsOf = (text: string): readonly string[] => [text, ...text.split(/[^\p{L}\p{N}]+/u)]

export type Owner = {
  readonly username: string
  readonly email: string
  /** Names of the companies that the person belongs to. */
  readonly companies?: readonly string[]
}

const wordsAbout = ({ username, email, companies = [] }: Owner): readonly string[] => {
  const [local = '', domain = ''] = email.split('@')
  const hosts = domain.split('.').slice(0, -1)
  return [...serviceWords, ...[username, local, ...hosts, ...companies].flatMap(partsOf)]
}

/** Whether little is left of the password without a word that anybody who knows its owner would try. */
export const isMostlyContext = (password: string, owner: Owner): boolean =>
  [lettersOf, withLettersForSigns].some((spell) => {
    const words = new Set(wordsAbout(owner).map(spell))
    const longestFirst = [...words]
      .filter(({ length }) => length >= minWordLength)
      .toSorted((a, b) => b.length - a.length)
    const whole = spell(password)
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), whole)
    return rest !== whole && rest.length < minOtherLetters
  })

/** Whether it is on the list of the most common passwords, in any letter case. */
export const isCommon = async (password: string): Promise<boolean> => {
  common ??= readCommon()
  return (await common).has(password.normalize('NFKC').toLowerCase())
}

let common: Promise<ReadonlySet<string>> | undefined

/** `tooling/src/common-passwords.ts` writes the file. */
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const text = await readFile(new URL('common-passwords.txt', import.meta.url), 'utf8')
  return new Set(
    text
      .slice(text.indexOf('\n---\n') + 5)
      .trimEnd()
      .split('\n'),
  )
}
