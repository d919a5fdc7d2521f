import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { errors } from '@millseal/contract'
import { germanErrors } from '@millseal/contract/errors-de'
import { reasons } from '@millseal/contract/reasons'
import { de as germanPage } from '../verify/texts/de.ts'
import { en as englishPage } from '../verify/texts/en.ts'

const here = import.meta.dirname
const root = join(here, '../../..')

/** One English term has one German word: readers take two words for two things. */
const pairs: readonly (readonly [english: RegExp, german: RegExp])[] = [
  [/\bstates?\b/i, /status/i],
  [/\bidentit(?:y|ies)\b/i, /identität/i],
  [/\bwebhooks?\b/i, /webhook/i],
  [/\bdeliver(?:y|ies)\b/i, /zustellung|zugestellt/i],
  [/\bevents?\b/i, /ereignis/i],
  [/\bissuers?\b/i, /aussteller/i],
  [/\bmembers?\b/i, /mitglied/i],
  [/\bwallets?\b/i, /wallet/i],
  [/\bapplications?\b(?!\/)/i, /anwendung/i],
  [/\btokens?\b/i, /token/i],
  [/\bsecrets?\b/i, /geheimnis/i],
  [/\bdrafts?\b/i, /entw[uü]rf/i],
  [/\brevoke/i, /widerruf/i],
  [/\breview/i, /prüf/i],
  [/\bcompan(?:y|ies)\b/i, /firm/i],
  [/\bledger\b/i, /ledger/i],
  [/\bhash(?:es)?\b/i, /hashwert/i],
  [/\bproof bundle\b/i, /nachweispaket/i],
  [/\bVAT ids?\b/, /Umsatzsteuer-ID/],
  [/\brecovery key\b/i, /wiederherstellungsschlüssel/i],
  [/\bmail hooks?\b/i, /mail-hook/i],
  [/\bcustomers?\b/i, /kunde/i],
  [/\bproducts?\b/i, /erzeugnis/i],
]

/** Words for something that has another word: `Zustand` of steel is its treatment. */
const refused =
  /\b(?:Zustand|Stand|Unternehmen|USt-IdNr|[Vv]erzeichnet|VERZEICHNET|[Aa]ufgezeichnet|Prüfsummen?|Berichtigung|[Bb]erichtig\w+|Unterschrift|unterschr\w+|Admins?|Access-Token|Secret|Käufers?|Produkte?s?|Notfallschlüssel|(?<!-)Mails?(?!-)|(?<!-)Ids?|[Ee]ine Wallet|[Dd]ie Wallet)\b/

/** Words with one meaning only: if the German text has this word, the English text has the other. */
const onlyFor: readonly (readonly [german: RegExp, english: RegExp])[] = [
  [/\bRegisters?\b/, /\bregister/i],
  [/\bdeaktivier/i, /\bdeactivat/i],
  [/\bgesperrt\b/i, /\b(?:locked|wrong codes|wrong passwords)\b/i],
  [/\bsichern\b/i, /\bback up\b/i],
]

/** Other things of the same name: goods, sections of a paper, dates, both German names of a VAT id, tokens of a browser. */
const others =
  /^certificates\/(?:csvColumns\/\d+|fields\/delivery|technicalFacts\/asOf)$|^company\/(?:looks\/|found\/vatId$)|^verify\/(?:facts\/asOf|unasked|rows\/status\/(?:asOf|old)|says\/oldStatus)$|^errors\/(?:unauthenticated|token_)/

type Leaf = readonly [path: string, text: string]
type Pair = readonly [path: string, english: string, german: string]

/** The text for arguments that do not matter here. */
const called = (text: (...values: unknown[]) => unknown): unknown => {
  try {
    return text(2, 2, 2, 2)
  } catch {
    return undefined
  }
}

const leaves = (value: unknown, path: string): readonly Leaf[] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return leaves(called(value as () => unknown), path)
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return []
  return Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}/${name}`))
}

const paired = (path: string, english: unknown, german: unknown): readonly Pair[] => {
  const inEnglish = new Map(leaves(english, path))
  return leaves(german, path).map(([at, text]) => [at, inEnglish.get(at) ?? '', text])
}

/** Problems are the errors of the contract, sentences those of the server. */
const areas = globSync('*.ts', { cwd: join(here, 'en') }).filter(
  (area) => area !== 'problems.ts' && area !== 'sentences.ts',
)

const ofArea = async (area: string): Promise<readonly Pair[]> => {
  const [english, german] = await Promise.all(
    ['en', 'de'].map(async (language) => {
      const { texts } = (await import(join(here, language, area))) as { readonly texts: object }
      return texts
    }),
  )
  return paired(area.replace('.ts', ''), english, german)
}

const said = (template: string): string => template.replaceAll(/\$\{[^}]*\}/g, '…')

const text = String.raw`(?:'((?:\\.|[^'\\])*)'|${'`'}((?:\\.|[^${'`'}\\])*)${'`'})`

/** The texts of pages that have one object per language. */
const ofPages = (): readonly Pair[] =>
  globSync('server/src/**/*.ts', { cwd: root, exclude: (path) => path.endsWith('.test.ts') }).flatMap(
    (path) => {
      const source = readFileSync(join(root, path), 'utf8')
      const [, english, german] =
        /\n {2}en: \{\n(.*?)\n {2}\},\n {2}de: \{\n(.*?)\n {2}\},\n\} satisfies Record<PageLanguage/s.exec(
          source,
        ) ?? []
      if (english === undefined || german === undefined) return []
      const one = new RegExp(text, 'g')
      const [inEnglish, inGerman] = [english, german].map((block) =>
        [...block.matchAll(one)].map(([, quoted = '', template = '']) => said(quoted + template)),
      )
      assert.equal(inEnglish?.length, inGerman?.length, `${path} has as many texts in both languages`)
      return inGerman?.map((words, at): Pair => [path, inEnglish?.[at] ?? '', words]) ?? []
    },
  )

/** The texts of mails and pages, and the names of families, which stand beside each other as `en` and `de`. */
const besideEachOther = (sources: string): readonly Pair[] => {
  const wording = new RegExp(String.raw`\ben:\s*${text},\s*de:\s*${text}`, 'g')
  return globSync(sources, { cwd: root, exclude: (path) => path.endsWith('.test.ts') }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(wording)].map(
      ([, en1 = '', en2 = '', de1 = '', de2 = '']): Pair => [path, said(en1 + en2), said(de1 + de2)],
    ),
  )
}

/** An English word for something that has another one, refused like the German ones. */
const refusedInEnglish = /\b(?:Buyers?|Purchasers?)\b/i

const wrongWords = (texts: readonly Pair[]): readonly string[] =>
  texts.flatMap(([path, english, german]) => {
    if (others.test(path) || german === 'Lieferung') return []
    const isOther =
      refused.test(german) ||
      refusedInEnglish.test(english) ||
      pairs.some(([word, wanted]) => word.test(english) && !wanted.test(german)) ||
      onlyFor.some(([word, wanted]) => word.test(german) && !wanted.test(english))
    return isOther ? [`${path}: ${english} – ${german}`] : []
  })

describe('the words of the product', () => {
  test('are the same in German wherever they are the same in English: in the console', async () => {
    assert.ok(areas.length > 10)
    const texts = (await Promise.all(areas.map(ofArea))).flat()
    assert.ok(texts.length > 1_000)
    assert.deepEqual(wrongWords(texts), [])
  })

  test('are the same on the page that verifies', () => {
    const texts = paired('verify', englishPage, germanPage)
    assert.ok(texts.length > 90)
    assert.deepEqual(wrongWords(texts), [])
  })

  test('are the same in errors', () => {
    const english = Object.fromEntries(Object.entries(errors).map(([code, { message }]) => [code, message]))
    assert.deepEqual(wrongWords(paired('errors', english, germanErrors)), [])
  })

  test('are the same in mails and on pages of the server', () => {
    const texts = [...besideEachOther('server/src/**/*.ts'), ...ofPages()]
    assert.ok(texts.length > 250, `${texts.length} texts`)
    assert.deepEqual(wrongWords(texts), [])
  })

  test('are the same in the names of certificate families', () => {
    const texts = besideEachOther('families/src/families/*/index.ts')
    assert.ok(texts.length >= 14, `${texts.length} texts`)
    assert.deepEqual(wrongWords(texts), [])
  })

  test('are the same in what the server says', () => {
    const texts = Object.entries<{ readonly en: string; readonly de: unknown }>(reasons).flatMap(
      ([code, { en, de }]) => leaves(de, code).map(([path, german]): Pair => [path, en, german]),
    )
    assert.ok(texts.length > 100)
    assert.deepEqual(wrongWords(texts), [])
  })

  test('are those of the glossary', () => {
    const [, table = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('## In German')
    const rows = table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').slice(1, 4))
    assert.ok(rows.length > 20)
    const missing = pairs.filter(
      ([english, german]) => !rows.some(([en = '', de = '']) => english.test(en) && german.test(de)),
    )
    assert.deepEqual(missing, [])
  })

  test('are refused if one has a second translation', () => {
    for (const [english, german] of [
      ['State', 'Zustand'],
      ['The ledger', 'Das Verzeichnis'],
      ['The log', 'Das Register'],
      ['A mail', 'Eine Mail'],
      ['The buyer', 'Der Kunde'],
      ['The customer', 'Der Käufer'],
    ] as const)
      assert.equal(wrongWords([['mails/one', english, german]]).length, 1, german)
    assert.deepEqual(wrongWords([['mails/state', 'State', 'Status']]), [])
    assert.deepEqual(
      wrongWords([['company/vat', 'The VAT register', 'Das Register für Umsatzsteuer-IDs']]),
      [],
    )
  })
})
