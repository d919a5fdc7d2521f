import type { DocumentModel } from '../../model/document.ts'

/**
 * The texts of a document that need more than the fonts of the page, or a change before they are drawn: most documents
 * have few. One pass over the document finds them for all who ask.
 */
export const unusualTexts = (document: DocumentModel): readonly string[] => {
  const found: string[] = []
  collect(document, found)
  return found
}

const collect = (value: unknown, found: string[]): void => {
  if (typeof value === 'string') {
    if (!usual.test(value)) found.push(value)
  } else if (Array.isArray(value)) for (const item of value) collect(item, found)
  else if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>
    for (const key in members) if (key !== 'base64') collect(members[key], found)
  }
}

/** Both fonts of the page have these characters. */
const usual = /^[ -~\u00A0-\u00AC\u00AE-\u017E\n]*$/u
