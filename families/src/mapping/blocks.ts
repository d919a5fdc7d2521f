import type { Block, Column, Field, Row, Section, Text } from '../model/document.ts'
import { withoutUndefined } from '../model/without-undefined.ts'

/** One field; none if there is no value. */
export const field = (
  label: Text,
  value: string | undefined,
  { unit, code }: { unit?: string | undefined; code?: string | undefined } = {},
): readonly Field[] => {
  if (value === undefined) return []
  if (unit === undefined) return [code === undefined ? { label, value } : { label, value, code }]
  return [code === undefined ? { label, value, unit } : { label, value, unit, code }]
}

export const fieldsBlock = (fields: readonly Field[]): readonly Block[] =>
  fields.length === 0 ? [] : [{ kind: 'fields', fields }]

/** Texts of the certificate are not translated, so they appear once. */
export const untranslated = (text: string): Text => [text]

export const paragraphs = (texts: readonly string[]): readonly Block[] =>
  texts.map((text) => ({ kind: 'paragraph', text: untranslated(text) }))

export const headed = (title: Text, blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'heading', text: title }, ...blocks]

export const section = (title: Text, blocks: readonly Block[], role?: 'declaration'): readonly Section[] =>
  blocks.length === 0 ? [] : [withoutUndefined({ title, role, blocks })]

export type ColumnDraft = {
  readonly label: Text
  readonly code?: string | undefined
  readonly unit?: string | undefined
  /** Numbers that identify something (a heat, an item) are aligned left, as names are. */
  readonly isName?: boolean
  readonly cells: readonly (string | undefined)[]
}

/** Makes a table of columns and leaves out columns without values. Columns of numbers are aligned right. */
export const table = (
  columns: readonly ColumnDraft[],
  { caption, emphasis }: { caption?: Text | undefined; emphasis?: readonly Row['emphasis'][] } = {},
): readonly Block[] => {
  const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== undefined && cell !== ''))
  const height = Math.max(0, ...filled.map(({ cells }) => cells.length))
  if (filled.length === 0 || height === 0) return []
  const rows = Array.from({ length: height }, (_, index): Row => {
    const cells = filled.map((column) => column.cells[index] ?? '')
    const rowEmphasis = emphasis?.[index]
    return rowEmphasis === undefined ? { cells } : { cells, emphasis: rowEmphasis }
  })
  return [{ kind: 'table', table: withoutUndefined({ caption, columns: filled.map(toColumn), rows }) }]
}

const toColumn = ({ label, code, unit, isName, cells }: ColumnDraft): Column =>
  withoutUndefined({
    label,
    code,
    unit,
    align: isName !== true && isNumeric(cells) ? ('end' as const) : ('start' as const),
  })

/** 0.15, < 3, ≥ 235, 78 – 90, 36 / 30 / 37, 1.5e-3, 1.5·10⁻³. */
const number = /^[<>≤≥=±+-]{0,2}\s*\d[\d.,\s]*(e[+-]?\d+|·10⁻?[⁰¹²³⁴-⁹]+)?( [–/] -?\d[\d.,]*)*$/iu
const longestBesideNumbers = 16

/** A column of numbers may contain a few short words: a `C` among grades of failure, a `+` among limits. */
const isNumeric = (cells: readonly (string | undefined)[]): boolean => {
  const filled = cells.filter((cell) => cell !== undefined && cell !== '')
  const numbers = filled.filter((cell) => number.test(cell ?? '')).length
  const isShort = filled.every((cell) => (cell?.length ?? 0) <= longestBesideNumbers)
  return numbers > 0 && (numbers === filled.length || (isShort && numbers * 2 >= filled.length))
}

/** The unit that all values share; undefined if they differ. */
export const sharedUnit = (units: readonly (string | undefined)[]): string | undefined => {
  const [first] = units
  return first !== undefined && units.every((unit) => unit === first) ? first : undefined
}

/** A column of units, or the unit for the heads of the columns with values if it is the same in all rows. */
export const unitColumn = (
  label: Text,
  units: readonly (string | undefined)[],
): { readonly columns: readonly ColumnDraft[]; readonly unit: string | undefined } => {
  const unit = sharedUnit(units)
  return unit === undefined ? { columns: [{ label, cells: units }], unit } : { columns: [], unit }
}

export const joinText = (parts: readonly (string | undefined)[], separator = ' '): string | undefined => {
  const filled = parts.filter((part) => part !== undefined && part !== '')
  return filled.length === 0 ? undefined : filled.join(separator)
}
