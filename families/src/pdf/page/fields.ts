import {
  type Element,
  heightOf,
  inline,
  isAtomic,
  type Line,
  type Page,
  type Piece,
  rowOf,
  widestPart,
  widthOf,
} from '@millseal/pdf'
import type { Field } from '../../model/document.ts'
import { codeOf, columnsWidth, perRow, spaceBelow } from './columns.ts'
import { colours, gap, style } from './look.ts'
import { type Column, inLanguages, plainLines, type Setting } from './setting.ts'

const labelStyle = style(6.6, colours.grey)
const noBreak = '\u00A0'

type InSection = {
  readonly setting: Setting
  readonly parent: Element
  readonly column: Column
  /** The size of values. */
  readonly size: number
}

/** A field in its place: the column where it begins and how many it has, of three. */
type Placed = { readonly field: Field; readonly from: number; readonly span: number }

/** Fields in rows of three columns, each label above its value. */
export const fields = (all: readonly Field[], inSection: InSection): Piece[] => {
  const { setting, parent, column } = inSection
  return rowsOf(all, inSection).flatMap((row) => {
    const drawn = row.map(({ field, from, span }) => {
      const inField = {
        setting,
        element: setting.structure.add('P', parent),
        width: columnsWidth(span, column.width),
        size: inSection.size,
      }
      const x = column.x + from * (columnsWidth(1, column.width) + gap)
      return { x, label: labelLines(field, inField), value: valueLines(field, inField) }
    })
    const tallest = Math.max(...drawn.map(({ label }) => heightOf(label)))
    const stacks = drawn.map(({ x, label, value }) => ({
      x,
      lines: [...label, ...spaceBelow(label, tallest), ...value],
    }))
    return rowOf(stacks, {
      typeface: setting.typeface,
      above: 0,
      padding: { top: 3, bottom: 3.8 },
      decorate: (page, box) => hairlines(page, row, { ...box, column }),
    })
  })
}

const hairlines = (
  page: Page,
  row: readonly Placed[],
  { top, height, column }: { readonly top: number; readonly height: number; readonly column: Column },
): void =>
  page.artifact(() => {
    for (const { from, span } of row)
      page.rule({
        x: column.x + from * (columnsWidth(1, column.width) + gap),
        y: top + height,
        width: columnsWidth(span, column.width),
        stroke: 0.4,
        colour: colours.hairline,
      })
  })

/** Fills the rows without gaps: the field before a wide one takes the rest of its row. */
const rowsOf = (all: readonly Field[], { setting, column, size }: InSection): Placed[][] => {
  const rows: { field: Field; from: number; span: number }[][] = []
  let used: number = perRow
  for (const field of all) {
    const span = spanOf(field, setting, { width: column.width, size })
    if (used + span > perRow) {
      const last = rows.at(-1)?.at(-1)
      if (last !== undefined) last.span += perRow - used
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push({ field, from: used, span })
    used += span
  }
  const last = rows.at(-1)?.at(-1)
  if (last !== undefined && last.span > 1) last.span += perRow - used
  return rows
}

/** One column, or more if the value would need over two lines or break inside a word. */
const spanOf = (
  { value, unit }: Field,
  { typeface }: Setting,
  { width, size }: { readonly width: number; readonly size: number },
): number => {
  const valueStyle = style(size)
  const shown = unit === undefined ? value : `${value}${noBreak}${unit}`
  const needed = widthOf(shown, valueStyle, typeface)
  const word = isAtomic(value) ? needed : widestPart(shown, { typeface, ...valueStyle })
  const fits = (span: number) =>
    needed <= 1.8 * columnsWidth(span, width) && word <= columnsWidth(span, width)
  return [1, 2].find(fits) ?? perRow
}

type InField = {
  readonly setting: Setting
  readonly element: Element
  readonly width: number
  readonly size: number
}

const labelLines = ({ code, label }: Field, inField: InField): Line[] => {
  const { setting } = inField
  return inline([...codeOf(code, setting), ...inLanguages(label, labelStyle, setting)], {
    typeface: setting.typeface,
    ...inField,
  })
}

/** The unit stays with the end of its value. */
const valueLines = ({ value, unit }: Field, inField: InField): Line[] => {
  const valueStyle = style(inField.size)
  const unitStyle = style(inField.size - 1, colours.grey)
  if (unit === undefined) return plainLines(value, valueStyle, inField)
  const lines = plainLines(`${value}${noBreak}${unit}`, valueStyle, inField)
  const last = lines.at(-1)
  const [part] = last?.parts ?? []
  if (last === undefined || part === undefined || !part.text.endsWith(`${noBreak}${unit}`)) return lines
  const text = part.text.slice(0, -unit.length - 1)
  const x = widthOf(text, valueStyle, inField.setting.typeface) + 2.2
  return [
    ...lines.slice(0, -1),
    {
      ...last,
      parts: [
        { ...part, text },
        { text: unit, style: unitStyle, x },
      ],
    },
  ]
}
