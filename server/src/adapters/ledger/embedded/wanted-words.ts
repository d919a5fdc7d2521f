import { splitWords } from './index-rows.ts'

/** The terms of a search. A search without words and phrases finds nothing. */
export type WantedWords = {
  /** If there is no phrase, one of them is enough. */
  readonly words: readonly string[]
  /** The words of all phrases. An entry must contain all of them. */
  readonly ofPhrases: readonly string[]
  /** Excluded: entries that contain all words of one of these. */
  readonly unwanted: readonly (readonly string[])[]
}

const terms = /(?<=^|\s)(-?)"([^"]*)"|(?<=^|\s)-(\S+)|([^\s"]+)/g

/** Reads a text search as MongoDB does: words, "phrases", and excluded -words or -"phrases". */
export const readWantedWords = (search: string): WantedWords => {
  const words: string[] = []
  const ofPhrases: string[] = []
  const unwanted: string[][] = []
  for (const [, minus, phrase, excluded, word] of search.matchAll(terms)) {
    if (excluded !== undefined) unwanted.push(splitWords(excluded))
    else if (minus === '-') unwanted.push(splitWords(phrase ?? ''))
    else if (phrase !== undefined) ofPhrases.push(...splitWords(phrase))
    else words.push(...splitWords(word ?? ''))
  }
  return { words, ofPhrases, unwanted: unwanted.filter(({ length }) => length > 0) }
}
