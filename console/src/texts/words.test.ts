import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const here = import.meta.dirname

/** One word of ours, one word in German: readers take two words for two things. */
const pairs: readonly (readonly [english: RegExp, german: RegExp])[] = [
  [/\bstates?\b/i, /status/i],
  [/\bidentit(?:y|ies)\b/i, /identität/i],
  [/\bwebhooks?\b/i, /webhook/i],
  [/\bdeliver(?:y|ies)\b/i, /zustellung|zugestellt/i],
  [/\bevents?\b/i, /ereignis/i],
  [/\bissuers?\b/i, /aussteller/i],
  [/\bmembers?\b/i, /mitglied/i],
  [/\bwallets?\b/i, /wallet/i],
  [/\bapplications?\b/i, /anwendung/i],
  [/\btokens?\b/i, /token/i],
  [/\bsecrets?\b/i, /geheimnis/i],
  [/\bdrafts?\b/i, /entw[uü]rf/i],
  [/\brevoke/i, /widerruf/i],
  [/\breview/i, /prüf/i],
  [/\bcompan(?:y|ies)\b/i, /firm/i],
]

/** Words for what has another word: `Zustand` of steel is how it was treated. */
const refused = /\bZustand\b|\bStand\b|\bUnternehmen\b/

/** Other things of the same English name: the delivery of goods, sections of a paper, and a date. */
const others = /^certificates\/(?:csvColumns\/\d+|fields\/delivery|technicalFacts\/asOf)$|^company\/looks\//

type Leaf = readonly [path: string, text: string]

const leaves = (value: unknown, path: string): readonly Leaf[] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}/${name}`))
}

const textsOf = async (language: string, area: string): Promise<readonly Leaf[]> => {
  const { texts } = (await import(join(here, language, area))) as { readonly texts: object }
  return leaves(texts, area.replace('.ts', ''))
}

const wrongWords = (english: readonly Leaf[], german: readonly Leaf[]): readonly string[] => {
  const translated = new Map(german)
  return [
    ...english.flatMap(([path, text]) => {
      const translation = translated.get(path) ?? ''
      const isOther = pairs.some(([word, wanted]) => word.test(text) && !wanted.test(translation))
      return isOther && !others.test(path) ? [`${path}: ${text} – ${translation}`] : []
    }),
    ...german.flatMap(([path, text]) =>
      refused.test(text) && !others.test(path) ? [`${path}: ${text}`] : [],
    ),
  ]
}

describe('the words of the console', () => {
  test('are the same in German wherever they are the same in English', async () => {
    const areas = globSync('*.ts', { cwd: join(here, 'en') })
    assert.ok(areas.length > 10)
    const wrong = await Promise.all(
      areas.map(async (area) => wrongWords(await textsOf('en', area), await textsOf('de', area))),
    )
    assert.deepEqual(wrong.flat(), [])
  })

  test('are refused if one has a second translation', () => {
    const wrong = wrongWords([['mails/state', 'State']], [['mails/state', 'Zustand']])
    assert.deepEqual(wrong, ['mails/state: State – Zustand', 'mails/state: Zustand'])
    assert.deepEqual(wrongWords([['mails/state', 'State']], [['mails/state', 'Status']]), [])
  })
})
