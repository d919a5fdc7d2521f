/** Patterns of the server's English sentences, and what a person reads instead. */
export type Sentences = readonly (readonly [pattern: RegExp, words: string])[]

const inOneSentence = (sentence: string, sentences: Sentences): string | undefined => {
  for (const [pattern, words] of sentences) {
    const parts = pattern.exec(sentence)
    if (parts === null) continue
    // What a sentence quotes may be a sentence itself.
    return words.replaceAll(/\$(\d)/g, (_, number: string) => {
      const part = parts[Number(number)] ?? ''
      return inOneSentence(part, sentences) ?? part
    })
  }
  return undefined
}

/** `/name is required`, `query vatId: Its check digits do not fit` */
const atPlace = /^(\/\S*?:?|(?:query|header|params)[ /]\S+) (.+)$/s

/**
 * The first pattern that matches counts. A sentence may begin with the place that it is about, and several may follow
 * each other; one that nobody knows stays as it is.
 */
export const inWords = (sentence: string, sentences: Sentences): string => {
  const whole = inOneSentence(sentence, sentences)
  if (whole !== undefined) return whole
  const [, place, reason] = atPlace.exec(sentence) ?? []
  const words = reason === undefined ? undefined : inOneSentence(reason, sentences)
  if (words !== undefined) return `${place} ${words}`
  const parts = sentence.split('. ')
  return parts.map((part) => inOneSentence(part, sentences) ?? part).join('. ')
}
