import type { TextStyle } from '@millseal/pdf'
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
