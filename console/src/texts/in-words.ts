/** Patterns of the server's English sentences, and what a person reads instead. */
export type Sentences = readonly (readonly [pattern: RegExp, words: string])[]

/** The first pattern that matches counts; a sentence that nobody knows stays as it is. */
export const inWords = (sentence: string, sentences: Sentences): string => {
  const known = sentences.find(([pattern]) => pattern.test(sentence))
  return known === undefined ? sentence : sentence.replace(known[0], known[1])
}
