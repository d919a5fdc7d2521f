import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { readTextQuery, type TextQuery } from './search-words.ts'

/** How to find what the query parameter `text` asks for. */
export const readTextParameter = (text: string): TextQuery => {
  const read = readTextQuery(text)
  if (read === undefined)
    throw new Problem('validation_failed', {
      reasons: [because('text_needs_letter', { place: 'query/text' })],
    })
  return read
}
