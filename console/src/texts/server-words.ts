import { inWords } from '@millseal/contract/in-words'
import { useTexts } from './catalog.ts'

/** Returns the function that translates a sentence of the server into the language of the person. */
export const useServerWords = (): ((sentence: string) => string) => {
  const sentences = useTexts('sentences')
  return (sentence) => inWords(sentence, sentences)
}
