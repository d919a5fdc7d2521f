import { heightOf, type Line, type TextStyle } from '@millseal/pdf'
import { gap, strong } from './look.ts'
import type { Setting } from './setting.ts'

export const perRow = 3

/** The width of several of the three columns in a text of this width. */
export const columnsWidth = (span: number, width: number): number => ((width + gap) / perRow) * span - gap

/** The code of the standard, before a label. */
export const codeOf = (
  code: string | undefined,
  { accent }: Setting,
): readonly { readonly text: string; readonly style: TextStyle }[] =>
  code === undefined ? [] : [{ text: code, style: strong(6, accent) }]

/** The labels of a row begin on one line, and so do its values. */
export const spaceBelow = (label: readonly Line[], tallest: number): Line[] => {
  const [first] = label
  const height = tallest - heightOf(label)
  return first === undefined || height <= 0 ? [] : [{ element: first.element, parts: [], height }]
}
