import type { Field } from '../../model/document.ts'
import { columns, columnsWidth } from './grid.ts'
import type { Measure } from './measure.ts'
import type { PageField } from './page-model.ts'

/** `width`: of the text in points. */
type Line = { readonly measure: Measure; readonly width: number }

const valueSize = 9
const labelSize = 6.8

/** Fills rows of three columns without gaps: the field before a wide one takes the rest of its row. */
export const arrangeFields = (fields: readonly Field[], line: Line): PageField[] => {
  const spans: number[] = []
  let used = 0
  for (const [index, field] of fields.entries()) {
    const span = spanOf(field, line)
    if (used + span > columns) {
      spans[index - 1] = (spans[index - 1] ?? 0) + columns - used
      used = 0
    }
    spans.push(span)
    used = (used + span) % columns
  }
  const last = spans.length - 1
  if (used > 0 && (spans[last] ?? 0) > 1) spans[last] = (spans[last] ?? 0) + columns - used
  return fields.map((field, index) => arrangeField(field, spans[index] ?? 1, line))
}

/** One column, or more if the value would need over two lines or break inside a word. */
const spanOf = ({ value, unit }: Field, { measure, width }: Line): number => {
  const needed = measure.text(`${value} ${unit ?? ''}`, valueSize)
  const word = measure.longestWord(value, valueSize)
  const fits = (span: number) =>
    needed <= 1.8 * columnsWidth(span, width) && word <= columnsWidth(span, width)
  return [1, 2].find(fits) ?? columns
}

const arrangeField = (field: Field, span: number, { measure, width }: Line): PageField => {
  const line = columnsWidth(span, width)
  return {
    ...field,
    label: field.label.map((text) => measure.breakable(text, labelSize, line)),
    value: measure.breakable(field.value, valueSize, line),
    span,
  }
}
