import { type GivenReason, inWords, type Templates, wordsOf } from '@millseal/contract/reason-words'
import { useTexts } from './catalog.ts'

/** Says an error of the server in the language of the person; in English what has no codes, or unknown ones. */
export type ServerWords = (error: string, reasons: readonly GivenReason[] | undefined) => string

export const useServerWords = (): ServerWords => {
  const templates = useTexts('sentences')
  return (error, reasons = []) => sentencesOf(reasons, templates) ?? error
}

/** Undefined unless every reason is known. */
const sentencesOf = (reasons: readonly GivenReason[], templates: Templates): string | undefined => {
  const sentences = reasons.map((reason) => inWords(reason, templates))
  return sentences.length === 0 || sentences.includes(undefined) ? undefined : sentences.join('. ')
}

/** Of a finding, whose place and label are shown beside its words. */
export type FindingWords = (finding: { readonly reason: string; readonly because?: GivenReason }) => string

export const useFindingWords = (): FindingWords => {
  const templates = useTexts('sentences')
  return ({ reason, because }) => (because && wordsOf(because, templates)) ?? reason
}
