import { splitWords } from './index-rows.ts'

/** What a search asks for; it is empty-handed where it names neither words nor phrases. */
export type WantedWords = {
  /** One of them is enough, where there is no phrase. */
  readonly words: readonly string[]
  /** Of all phrases together; all must be there. */
  readonly ofPhrases: readonly string[]
  /** What has all words of one of these is not wanted. */
  readonly unwanted: readonly (readonly string[])[]
}

const terms = /(?<=^|\s)(-?)"([^"]*)"|(?<=^|\s)-(\S+)|([^\s"]+)/g

/** As MongoDB reads a text search: words, "phrases", and -words or -"phrases" that must not be there. */
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
