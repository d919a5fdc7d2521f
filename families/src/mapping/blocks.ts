import type { Block, Column, Field, Row, Section, Text } from '../model/document.ts'

/** A field, or nothing where there is no value. */
export const field = (
  label: Text,
  value: string | undefined,
  more: { unit?: string | undefined; code?: string } = {},
): readonly Field[] => {
  if (value === undefined) return []
  const unit = more.unit === undefined ? {} : { unit: more.unit }
  return [{ label, value, ...unit, ...(more.code === undefined ? {} : { code: more.code }) }]
}

export const fieldsBlock = (fields: readonly Field[]): readonly Block[] =>
  fields.length === 0 ? [] : [{ kind: 'fields', fields }]

/** Texts of the certificate are not translated: they stand once. */
export const untranslated = (text: string): Text => [text]

export const paragraphs = (texts: readonly string[]): readonly Block[] =>
  texts.map((text) => ({ kind: 'paragraph', text: untranslated(text) }))

export const headed = (title: Text, blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'heading', text: title }, ...blocks]

export const section = (title: Text, blocks: readonly Block[], role?: 'declaration'): readonly Section[] =>
  blocks.length === 0 ? [] : [{ title, ...(role === undefined ? {} : { role }), blocks }]

export type ColumnDraft = {
  readonly label: Text
  readonly code?: string
  readonly unit?: string | undefined
  /** Numbers that name something (a heat, an item) stand left like names. */
  readonly isName?: boolean
  readonly cells: readonly (string | undefined)[]
}

/**
 * A table from its columns; those without any value are left out. A column of numbers is one whose values all begin
 * like numbers.
 */
export const table = (
  columns: readonly ColumnDraft[],
  more: { caption?: Text; emphasis?: readonly Row['emphasis'][] } = {},
): readonly Block[] => {
  const kept = columns.filter(({ cells }) => cells.some((cell) => cell !== undefined && cell !== ''))
  const height = Math.max(0, ...kept.map(({ cells }) => cells.length))
  if (kept.length === 0 || height === 0) return []
  const rows = Array.from({ length: height }, (_, index): Row => {
    const emphasis = more.emphasis?.[index]
    const cells = kept.map((column) => column.cells[index] ?? '')
    return emphasis === undefined ? { cells } : { cells, emphasis }
  })
  const caption = more.caption === undefined ? {} : { caption: more.caption }
  return [{ kind: 'table', table: { ...caption, columns: kept.map(toColumn), rows } }]
}

const toColumn = ({ label, code, unit, isName, cells }: ColumnDraft): Column => ({
  label,
  ...(code === undefined ? {} : { code }),
  ...(unit === undefined ? {} : { unit }),
  align: isName !== true && isNumeric(cells) ? 'end' : 'start',
})

/** 0.15, < 3, ≥ 235, 78 – 90, 36 / 30 / 37, 1.5e-3. */
const number = /^[<>≤≥=±+-]{0,2}\s*\d[\d.,\s]*(e[+-]?\d+)?( [–/] -?\d[\d.,]*)*$/i
const longestBesideNumbers = 16

/** A column of numbers may hold a word now and then: a `C` among grades of failure, a `+` among limits. */
const isNumeric = (cells: readonly (string | undefined)[]): boolean => {
  const filled = cells.filter((cell) => cell !== undefined && cell !== '')
  const numbers = filled.filter((cell) => number.test(cell ?? '')).length
  const isShort = filled.every((cell) => (cell?.length ?? 0) <= longestBesideNumbers)
  return numbers > 0 && (numbers === filled.length || (isShort && numbers * 2 >= filled.length))
}

/** The unit that all of them share; none where they differ, and then each value carries its own. */
export const sharedUnit = (units: readonly (string | undefined)[]): string | undefined => {
  const [first] = units
  return first !== undefined && units.every((unit) => unit === first) ? first : undefined
}

export const joinText = (parts: readonly (string | undefined)[], separator = ' '): string | undefined => {
  const kept = parts.filter((part) => part !== undefined && part !== '')
  return kept.length === 0 ? undefined : kept.join(separator)
}
