import { type Element, inline, type Line, type Piece, rowOf } from '@millseal/pdf'
import type { Party } from '../../model/document.ts'
import { area, colours, gap, strong, style } from './look.ts'
import { codeOf, columnsWidth, perRow } from './columns.ts'
import { inLanguages, plainLines, type Setting } from './setting.ts'

const width = columnsWidth(1, area.width)

/** The parties, three in a row. */
export const parties = (all: readonly Party[], setting: Setting): Piece[] => {
  if (all.length === 0) return []
  const { structure, typeface } = setting
  const parent = structure.add('Sect', structure.root)
  const rows = Array.from({ length: Math.ceil(all.length / perRow) }, (_, row) =>
    all.slice(row * perRow, (row + 1) * perRow),
  )
  return rows.flatMap((row, index) =>
    rowOf(
      row.map((party, place) => ({
        x: area.x + place * (width + gap),
        lines: partyLines(party, { setting, element: structure.add('Div', parent) }),
      })),
      { typeface, above: index === 0 ? 9 : 10 },
    ),
  )
}

const partyLines = (
  { role, code, name, lines }: Party,
  { setting, element: parent }: { readonly setting: Setting; readonly element: Element },
): Line[] => {
  const { structure, typeface } = setting
  const paragraph = () => ({ setting, element: structure.add('P', parent), width })
  const small = style(6.8, colours.grey)
  return [
    ...inline([...codeOf(code, setting), ...inLanguages(role, small, setting)], { typeface, ...paragraph() }),
    ...plainLines(name, strong(9.5), paragraph()),
    ...lines.flatMap(({ label, value }) =>
      label === undefined
        ? plainLines(value, style(8), paragraph())
        : inline(
            [
              { text: label[0] ?? '', style: style(7, colours.light) },
              { text: value, style: style(8) },
            ],
            { typeface, ...paragraph() },
          ),
    ),
  ]
}
