import type { Typeface } from '@millseal/pdf'
import type { DocumentModel } from '../../model/document.ts'
import { replaceUncovered } from '../../model/replace-uncovered.ts'

/** A text as it can be drawn: characters that no font has are written as their code point (`[U+1F680]`). */
const createPrintable = ({ covers }: Typeface): ((text: string) => string) => {
  const isDrawn = (codePoint: number): boolean =>
    covers(codePoint) && !neverDrawn.test(String.fromCodePoint(codePoint))
  return (text) =>
    replaceUncovered(
      text
        .replaceAll(lineBreaks, '\n')
        .replaceAll(invisible, '')
        .replaceAll(manyMarks, (_, letter: string, marks: string) => letter + spelled(marks)),
      isDrawn,
    )
}

/** Makes every text of the document printable, whatever its property; `unusual`: its `unusualTexts`. */
export const printableDocument = (
  document: DocumentModel,
  { unusual, typeface }: { readonly unusual: readonly string[]; readonly typeface: Typeface },
): DocumentModel => {
  const printable = createPrintable(typeface)
  const changes = new Map<string, string>()
  for (const text of unusual) {
    const shown = printable(text)
    if (shown !== text) changes.set(text, shown)
  }
  return changes.size === 0 ? document : (withChanges(document, changes) as DocumentModel)
}

const withChanges = (value: unknown, changes: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return changes.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withChanges(item, changes))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'base64' ? item : withChanges(item, changes)]),
  )
}

const mostMarks = 6
/** No language stacks so many marks on a letter. */
const manyMarks = new RegExp(String.raw`(\P{M}\p{M}{${mostMarks}})(\p{M}+)`, 'gu')

const mostSpelled = 20

const spelled = (marks: string): string => {
  const all = [...marks]
  const names = all
    .slice(0, mostSpelled)
    .map((mark) => `[U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
  return names.join('') + (all.length > mostSpelled ? `[+ ${all.length - mostSpelled}]` : '')
}

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu

/** Soft hyphens, zero-width spaces and variation selectors, which are invisible. Joiners are needed to shape. */
const invisible = /\u00AD|\u200B|[\u2060-\u2064]|\uFEFF|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu

/** Lone surrogates, private use, unassigned, and characters that reorder text (Unicode TR 36 §2.5). */
const neverDrawn = /[\p{Cs}\p{Co}\p{Cn}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFC]/u
