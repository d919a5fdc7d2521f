import { type Element, heightOf, inline, type Line, type Piece, rowOf } from '@millseal/pdf'
import type { Party } from '../../model/document.ts'
import { area, colours, gap, strong, style } from './look.ts'
import { codeOf, columnsWidth, perRow, spaceBelow } from './columns.ts'
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
  return rows.flatMap((row, index) => {
    const cards = row.map((party) => {
      const inCard = { setting, element: structure.add('Div', parent) }
      return { role: roleLines(party, inCard), rest: partyLines(party, inCard) }
    })
    const tallest = Math.max(...cards.map(({ role }) => heightOf(role)))
    return rowOf(
      cards.map(({ role, rest }, place) => ({
        x: area.x + place * (width + gap),
        lines: [...role, ...spaceBelow(role, tallest), ...rest],
      })),
      { typeface, above: index === 0 ? 9 : 10 },
    )
  })
}

type InCard = { readonly setting: Setting; readonly element: Element }

const roleLines = ({ role, code }: Party, { setting, element: parent }: InCard): Line[] => {
  const { structure, typeface } = setting
  const texts = [...codeOf(code, setting), ...inLanguages(role, style(6.8, colours.grey), setting)]
  return inline(texts, { typeface, element: structure.add('P', parent), width })
}

const partyLines = ({ name, lines }: Party, { setting, element: parent }: InCard): Line[] => {
  const { structure, typeface } = setting
  const paragraph = () => ({ setting, element: structure.add('P', parent), width })
  return [
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
