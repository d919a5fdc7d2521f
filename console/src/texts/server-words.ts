import { inWords } from '@millseal/contract/in-words'
import { useTexts } from './catalog.ts'

/** Returns a function that says a sentence of the server in the language of the person. */
export const useServerWords = (): ((sentence: string) => string) => {
  const sentences = useTexts('sentences')
  return (sentence) => inWords(sentence, sentences)
}
