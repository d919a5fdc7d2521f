import { type Element, type Line, type Page, type Piece, rowOf, widthOf } from '@millseal/pdf'
import type { DocumentModel } from '../../model/document.ts'
import { area, colours, strong, style } from './look.ts'
import { drawPicture, sizeOf } from './picture.ts'
import { plainLines, type Setting } from './setting.ts'

const factsWidth = 170
const logoHeight = 46

/** The title of the first page: logo, kind of document, standard, number and date. */
export const title = (document: DocumentModel, setting: Setting): Piece[] => {
  const { structure, typeface } = setting
  const parent = structure.add('Sect', structure.root)
  const logo = document.logo && setting.pictures(document.logo)
  const figure = logo && structure.add('Figure', parent, { alternative: logo.alternative.join(' / ') })
  const name = titleLines(document, {
    setting,
    parent,
    width: logo === undefined ? area.width - factsWidth - 16 : area.width,
  })
  const facts = {
    x: area.x + area.width - factsWidth,
    lines: factLines(document, { setting, parent }),
  }
  const left = { x: area.x, lines: name }
  if (logo === undefined || figure === undefined)
    return rowOf([left, facts], { typeface, above: 0, padding: { top: 0, bottom: 7 }, decorate: rule })
  const decorate = (page: Page, { top }: { top: number }): void =>
    drawPicture(page, logo, { figure, x: area.x, top, ...logoBox, setting })
  const head = rowOf([facts], { typeface, above: 0, decorate, minHeight: sizeOf(logo, logoBox).height })
  return [
    ...head,
    ...rowOf([left], { typeface, above: 10, padding: { top: 0, bottom: 7 }, decorate: rule }),
  ].map((piece) => ({ ...piece, withNext: true }))
}

const logoBox = { maxWidth: area.width - factsWidth - 16, maxHeight: logoHeight }

const rule = (page: Page, { top, height }: { top: number; height: number }): void =>
  page.artifact(() =>
    page.rule({ x: area.x, y: top + height, width: area.width, stroke: 1.4, colour: colours.navy }),
  )

type InTitle = { readonly setting: Setting; readonly parent: Element }

const titleLines = (
  { title: [first = '', second = ''] }: DocumentModel,
  { setting, parent, width }: InTitle & { readonly width: number },
): Line[] => {
  const { structure } = setting
  const main = plainLines(first, strong(19, colours.navy), {
    setting,
    element: structure.add('H1', parent),
    width,
  })
  if (second === '' || second === first) return main
  const element = structure.add('P', parent)
  const language = setting.languages[1]
  const lighter = { ...style(11, colours.light), language }
  return [...main, ...plainLines(second, lighter, { setting, element, width })]
}

const factLines = ({ standard, number, date }: DocumentModel, { setting, parent }: InTitle): Line[] => {
  const facts = [
    { text: standard, font: strong(9.5, setting.accent) },
    { text: number, font: strong(9.5) },
    { text: date, font: style(9.5) },
  ]
  return facts.flatMap(({ text, font }) => {
    if (text === undefined) return []
    const element = setting.structure.add('P', parent)
    return plainLines(text, font, { setting, element, width: factsWidth }).map((line) =>
      toTheRight(line, setting),
    )
  })
}

const toTheRight = (line: Line, { typeface }: Setting): Line => ({
  ...line,
  parts: line.parts.map((part) => ({ ...part, x: factsWidth - widthOf(part.text, part.style, typeface) })),
})
