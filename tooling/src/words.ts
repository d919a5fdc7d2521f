import { parseSync, Visitor } from 'oxc-parser'

/** Words that a native writer of technical English would not use there. */
export const refused: readonly string[] = [
  'whoever',
  'whosoever',
  'anew',
  'likewise',
  'meanwhile',
  'mended',
  'stands in',
  'lets go of',
  'is told',
  'comes to be',
  'sits down',
  'guest book',
  'takes up',
  'stands up',
  'lay under',
  'nobody else',
]

/** A comment may break a line between two words of one expression. */
const pattern = new RegExp(
  `\\b(?:${refused.map((word) => word.replaceAll(' ', String.raw`(?:\s|\*|#|--|//)+`)).join('|')})\\b`,
  'gi',
)

/** The files with comments or prose; not this one and its test, which quote the words. */
export const wordFiles: readonly string[] = [
  '*.ts',
  '*.tsx',
  '*.sh',
  'script/*',
  '.ci/*',
  '*.sql',
  '*.typ',
  '*.go',
  '*.py',
  '*.md',
  ':!tooling/src/words*.ts',
  // A migration that ran is never changed, not even its comments.
  ':!server/src/migrations/0017-certificates.sql',
]

export type Refused = { readonly line: number; readonly word: string }

type Range = { readonly start: number; readonly end: number }

/** Finds refused words in the comments and sentences of a source, and in prose outside its code blocks. */
export const findRefusedWords = (path: string, text: string): Refused[] =>
  rangesOf(path, text).flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(pattern)].map(({ 0: word, index }) => ({
      line: text.slice(0, start + index).split('\n').length,
      word: word.replaceAll(/[\s*#/-]+/g, ' '),
    })),
  )

/** Folders whose comments were all read aloud. A comment there is a sentence or a noun phrase. */
const readAloud = ['console/src/']
const questionWord = /^(?:What|Whether|Who|Whose|Whom|Why|How)\b/
/** A sentence that begins like this goes on after a comma. */
const preposition = /^(?:Of|As|By|With|For|From|In|At|To|On)\b(?![^.:;]*,)/

/** Finds comments that are half sentences, by their first words. */
export const findHalfSentences = (path: string, text: string): Refused[] => {
  if (!readAloud.some((folder) => path.startsWith(folder)) || !/\.tsx?$/.test(path)) return []
  return parseSync(path, text).comments.flatMap(({ type, value, start }) => {
    const words = value.replace(/^[\s*]+/, '')
    const word = (questionWord.exec(words) ?? preposition.exec(words))?.[0]
    const before = text.slice(0, start)
    const continues = type === 'Line' && /\/\/.*\n[ \t]*$/.test(before)
    return word === undefined || continues ? [] : [{ line: before.split('\n').length, word }]
  })
}

const rangesOf = (path: string, text: string): readonly Range[] => {
  if (/\.tsx?$/.test(path)) return typescriptRanges(path, text)
  if (path.endsWith('.md')) return rangesBetween(text, /^ *(```|~~~).*?^ *\1|`[^`\n]*`/gms)
  if (path.endsWith('.sql')) return matchesOf(text, /--.*$/gm)
  if (path.endsWith('.py')) return matchesOf(text, /(?<![^\s])#.*$|""".*?"""/gms)
  if (/\.(typ|go)$/.test(path)) return matchesOf(text, /(?<!:)\/\/.*$|\/\*.*?\*\//gms)
  return matchesOf(text, /(?<![^\s])#.*$/gm)
}

/** Comments, and strings that are sentences; names and single words are code. */
const typescriptRanges = (path: string, text: string): Range[] => {
  const { comments, program } = parseSync(path, text)
  const ranges: Range[] = [...comments]
  const add = (range: Range): void => {
    if (text.slice(range.start, range.end).trim().split(/\s+/).length > 2) ranges.push(range)
  }
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node)
    },
    TemplateElement: add,
    JSXText: add,
  }).visit(program)
  return ranges
}

const matchesOf = (text: string, comment: RegExp): Range[] =>
  [...text.matchAll(comment)].map(({ 0: match, index }) => ({ start: index, end: index + match.length }))

const rangesBetween = (text: string, code: RegExp): Range[] => {
  const cut = matchesOf(text, code)
  return [{ start: 0, end: 0 }, ...cut].map(({ end }, at) => ({
    start: end,
    end: cut[at]?.start ?? text.length,
  }))
}
