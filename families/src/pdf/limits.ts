import type { DocumentModel } from '../model/document.ts'

/** About as much as 300 pages, which take a second of processor time. */
const most = { texts: 20_000, characters: 400_000, lines: 20_000 }

/** Why a document is not printed; undefined if it can be. */
export const tooLong = (document: DocumentModel): string | undefined => {
  const found = { texts: 0, characters: 0, lines: 0 }
  count(document, found)
  for (const name of ['texts', 'characters', 'lines'] as const) {
    if (found[name] > most[name])
      return `has ${found[name]} ${name}, and a document on paper can have ${most[name]}`
  }
  return undefined
}

const lineBreak = /[\n\v\f\u0085\u2028\u2029]|\r(?!\n)/gu

const count = (value: unknown, found: { texts: number; characters: number; lines: number }): void => {
  if (typeof value === 'string') {
    found.texts += 1
    found.characters += value.length
    if (value.length > 1) found.lines += value.match(lineBreak)?.length ?? 0
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) if (key !== 'base64') count(item, found)
}
