import { type Element, type Page, type Piece, rowOf } from '@millseal/pdf'
import type { Text } from '../../model/document.ts'
import { colours, strong } from './look.ts'
import { type Column, type Setting, textLines } from './setting.ts'

/** The title of a section, on the page of what follows it. */
export const sectionTitle = (
  texts: Text,
  {
    setting,
    parent,
    column,
  }: { readonly setting: Setting; readonly parent: Element; readonly column: Column },
): Piece[] => {
  const element = setting.structure.add('H2', parent)
  const lines = textLines(texts, strong(10.5, colours.navy), { setting, element, width: column.width })
  const rule = (page: Page, { top, height }: { top: number; height: number }): void =>
    page.artifact(() =>
      page.rule({ x: column.x, y: top + height, width: column.width, stroke: 0.7, colour: colours.navy }),
    )
  return rowOf([{ x: column.x, lines }], {
    typeface: setting.typeface,
    above: 11,
    padding: { top: 0, bottom: 3 },
    decorate: rule,
  }).map((piece) => ({ ...piece, withNext: true }))
}

/** The title of a part of a section. `level`: headings may not skip one. */
export const subTitle = (
  texts: Text,
  {
    setting,
    parent,
    column,
    level,
  }: {
    readonly setting: Setting
    readonly parent: Element
    readonly column: Column
    readonly level: 'H2' | 'H3'
  },
): Piece[] => {
  const element = setting.structure.add(level, parent)
  const lines = textLines(texts, strong(8.8, setting.accent), { setting, element, width: column.width })
  return rowOf([{ x: column.x, lines }], {
    typeface: setting.typeface,
    above: 8,
    padding: { top: 0, bottom: 1 },
  }).map((piece) => ({ ...piece, withNext: true }))
}
