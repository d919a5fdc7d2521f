import type { DocumentModel } from '../../model/document.ts'
import type { Printable } from './printable.ts'

/** Makes every text of the document printable, whatever its property. */
export const printableDocument = (document: DocumentModel, printable: Printable): DocumentModel =>
  everyText(document, printable) as DocumentModel

const everyText = (value: unknown, printable: Printable): unknown => {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map((item) => everyText(item, printable))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'base64' ? item : everyText(item, printable)]),
  )
}
