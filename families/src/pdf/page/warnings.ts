import { type Block, rowOf } from '@millseal/pdf'
import type { Warning } from '../../model/document.ts'
import { area, colours, style } from './look.ts'
import { plainLines, type Setting } from './setting.ts'

/** What could not be shown as submitted. */
export const warningList = (warnings: readonly Warning[], setting: Setting): Block => {
  const { structure, typeface } = setting
  if (warnings.length === 0) return { pieces: [] }
  const parent = structure.add('Sect', structure.root)
  const pieces = warnings.flatMap(({ pointer, reason }, index) => {
    const element = structure.add('P', parent)
    const lines = plainLines(`⚠ ${pointer}: ${reason}`, style(7.4, colours.red), {
      setting,
      element,
      width: area.width - 10,
    })
    return rowOf([{ x: area.x + 10, lines }], {
      typeface,
      above: index === 0 ? 12 : 0,
      decorate: (page, { top, height }) =>
        page.artifact(() => page.rule({ x: area.x + 1, y: top, height, stroke: 2, colour: colours.red })),
    })
  })
  return { pieces, isClosing: true }
}
