import { documentLabels } from '../../labels/document-labels.ts'
import { createLabeler } from '../../labels/labels.ts'
import type { Text } from '../../model/document.ts'

/** The texts of the page itself, in the languages of the document. */
export type PageWords = {
  readonly files: Text
  readonly verify: Text
  readonly testMode: Text
  readonly draft: Text
}

export const wordsIn = (languages: readonly string[]): PageWords => {
  const { label } = createLabeler(languages, [documentLabels])
  return {
    files: label('Attachments'),
    verify: label('Verify'),
    testMode: label('TestMode'),
    draft: label('Draft'),
  }
}
