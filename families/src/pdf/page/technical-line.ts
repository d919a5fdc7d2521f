import { type Block, rowOf } from '@millseal/pdf'
import { technicalText } from '../../model/technical-text.ts'
import type { DocumentModel } from '../../model/document.ts'
import { area, colours, style } from './look.ts'
import { plainLines, type Setting } from './setting.ts'

/** What only programs need, at the end and small. */
export const technicalLine = (document: DocumentModel, setting: Setting): Block => {
  const text = technicalText(document)
  if (text === undefined) return { pieces: [] }
  const { structure, typeface } = setting
  const element = structure.add('P', structure.root)
  const lines = plainLines(text, style(5.6, colours.grey), { setting, element, width: area.width })
  return { pieces: rowOf([{ x: area.x, lines }], { typeface, above: 7 }), isClosing: true }
}
