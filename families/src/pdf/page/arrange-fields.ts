import type { Field } from '../../model/document.ts'
import { columns, columnsWidth } from './grid.ts'
import type { Measure } from './measure.ts'
import type { PageField } from './page-model.ts'

/** `width`: of the text, in points. */
type Room = { readonly measure: Measure; readonly width: number }

const valueSize = 9
const labelSize = 6.8

/** Rows of three columns without holes: what stands before a wide field takes the room that is left. */
export const arrangeFields = (fields: readonly Field[], room: Room): PageField[] => {
  const spans: number[] = []
  let used = 0
  for (const [index, field] of fields.entries()) {
    const span = wishOf(field, room)
    if (used + span > columns) {
      spans[index - 1] = (spans[index - 1] ?? 0) + columns - used
      used = 0
    }
    spans.push(span)
    used = (used + span) % columns
  }
  const last = spans.length - 1
  if (used > 0 && (spans[last] ?? 0) > 1) spans[last] = (spans[last] ?? 0) + columns - used
  return fields.map((field, index) => arrangeField(field, spans[index] ?? 1, room))
}

/** A value that would need more than two lines in a third of the page, or break in a word, is given more of it. */
const wishOf = ({ value, unit }: Field, { measure, width }: Room): number => {
  const wanted = measure.text(`${value} ${unit ?? ''}`, valueSize)
  const word = measure.longestWord(value, valueSize)
  const fits = (span: number) =>
    wanted <= 1.8 * columnsWidth(span, width) && word <= columnsWidth(span, width)
  return [1, 2].find(fits) ?? columns
}

const arrangeField = (field: Field, span: number, { measure, width }: Room): PageField => {
  const line = columnsWidth(span, width)
  return {
    ...field,
    label: field.label.map((text) => measure.breakable(text, labelSize, line)),
    value: measure.breakable(field.value, valueSize, line),
    span,
  }
}
