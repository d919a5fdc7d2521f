import { type Block, inline, rowOf } from '@millseal/pdf'
import { fileSize } from '../../model/file-size.ts'
import { sectionTitle } from './heading.ts'
import { area, colours, strong, style } from './look.ts'
import type { NamedFile } from './name-files.ts'
import type { Setting } from './setting.ts'
import type { PageWords } from './words.ts'

/** The list of the attached files. */
export const fileList = (files: readonly NamedFile[], words: PageWords, setting: Setting): Block => {
  const { structure, typeface, languages } = setting
  if (files.length === 0) return { pieces: [] }
  const parent = structure.add('Sect', structure.root)
  const grey = style(7.6, colours.grey)
  const rows = files.flatMap(({ name, type, description, size }) => {
    const element = structure.add('P', parent)
    const facts = [
      { text: name, style: strong(7.6) },
      ...(description === undefined ? [] : [{ text: description, style: grey }]),
      { text: `${type} · ${fileSize(size, languages)}`, style: grey },
    ]
    const lines = inline(facts, { typeface, element, width: area.width })
    return rowOf([{ x: area.x, lines }], { typeface, above: 2, padding: { top: 1, bottom: 2 } })
  })
  return {
    pieces: [...sectionTitle(words.files, { setting, parent, column: area }), ...rows],
    isClosing: true,
  }
}
