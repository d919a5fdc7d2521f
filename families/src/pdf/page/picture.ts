import { drawLines, type Element, inline, type Page, type Piece } from '@millseal/pdf'
import type { MissingPicture, Picture, Text } from '../../model/document.ts'
import { colours, style } from './look.ts'
import type { PagePicture } from './pictures.ts'
import { type Column, inLanguages, type Setting, textLines } from './setting.ts'

type Box = { readonly maxWidth: number; readonly maxHeight: number }

const missingHeight = 34
const missingWidth = 200

/** The size of a picture that is fitted into a box. */
export const sizeOf = ({ image }: PagePicture, { maxWidth, maxHeight }: Box) => {
  if (image === undefined)
    return { width: Math.min(missingWidth, maxWidth), height: Math.min(missingHeight, maxHeight) }
  const height = Math.min(maxHeight, maxWidth / image.ratio)
  return { width: height * image.ratio, height }
}

type Drawn = Box & {
  readonly figure: Element
  readonly x: number
  readonly top: number
  readonly setting: Setting
}

/** Draws a picture, or the frame of a missing one with its text. */
export const drawPicture = (page: Page, picture: PagePicture, drawn: Drawn): void => {
  const { figure, x, top, setting } = drawn
  const { width, height } = sizeOf(picture, drawn)
  const { image, alternative } = picture
  if (image !== undefined) {
    page.mark(figure, () => page.picture(image.resource, { x, y: top, width, height }))
    return
  }
  page.artifact(() => {
    const line = { stroke: 0.5, colour: colours.red, dash: 2 }
    page.rule({ ...line, x, y: top, width })
    page.rule({ ...line, x, y: top + height, width })
    page.rule({ ...line, x, y: top, height })
    page.rule({ ...line, x: x + width, y: top, height })
  })
  const lines = inline(
    inLanguages(alternative, style(7, colours.red), setting).map((one) => ({
      ...one,
      text: `${one.text} ⚠`,
    })),
    { typeface: setting.typeface, element: figure, width: width - 12 },
  )
  drawLines(page, lines.slice(0, 3), { x: x + 6, top: top + 5, typeface: setting.typeface })
}

/** A picture of a section, with its caption. */
export const pictureBlock = (
  { picture, caption }: { readonly picture: Picture | MissingPicture; readonly caption?: Text },
  {
    setting,
    parent,
    column,
  }: { readonly setting: Setting; readonly parent: Element; readonly column: Column },
): Piece[] => {
  const shown = setting.pictures(picture)
  const { structure, typeface } = setting
  const figure = structure.add('Figure', parent, { alternative: shown.alternative.join(' / ') })
  const box = { maxWidth: column.width, maxHeight: 62 }
  const { height } = sizeOf(shown, box)
  const lines =
    caption === undefined
      ? []
      : textLines(caption, style(7, colours.grey), {
          setting,
          element: structure.add('P', parent),
          width: column.width,
        })
  const captionHeight = lines.reduce((sum, line) => sum + line.height, 0)
  return [
    {
      above: 7,
      height: height + 3 + captionHeight,
      draw: (page, top) => {
        drawPicture(page, shown, { figure, x: column.x, top, ...box, setting })
        drawLines(page, lines, { x: column.x, top: top + height + 2, typeface })
      },
    },
  ]
}
