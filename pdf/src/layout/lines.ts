import type { Page } from '../document/page.ts'
import type { Colour } from '../document/page-text.ts'
import type { Element } from '../tagging/structure.ts'
import type { Typeface, Weight } from '../text/typeface.ts'
import { textWidth, wrap } from '../text/wrap.ts'

export type TextStyle = {
  readonly weight: Weight
  readonly size: number
  readonly colour: Colour
  /** A BCP 47 tag, if it is not the language of the document. */
  readonly language?: string | undefined
}

/** Text in one style, at a distance from the left side of its line. */
export type Part = { readonly text: string; readonly style: TextStyle; readonly x: number }

/** One line of text, which belongs to an element. Heights are in points. */
export type Line = {
  readonly element: Element
  readonly parts: readonly Part[]
  readonly height: number
}

/** Lines below each other. */
export type Stack = { readonly x: number; readonly lines: readonly Line[] }

const leading = 1.22
/** The height of the base line above the lower side of its line, as a part of the height of the line. */
const belowBaseLine = 0.26

export const lineHeight = (size: number): number => size * leading

export const heightOf = (lines: readonly Line[]): number => lines.reduce((sum, { height }) => sum + height, 0)

type Setting = { readonly typeface: Typeface; readonly element: Element; readonly width: number }

/** The lines of a text in one style. */
export const linesOf = (text: string, style: TextStyle, { typeface, element, width }: Setting): Line[] =>
  wrap(text, width, { typeface, weight: style.weight, size: style.size }).map((line) => ({
    element,
    parts: [{ text: line, style, x: 0 }],
    height: lineHeight(style.size),
  }))

export const widthOf = (text: string, { weight, size }: TextStyle, typeface: Typeface): number =>
  textWidth(text, { typeface, weight, size })

/** Texts in one line if they fit, with a space between, else below each other. */
export const inline = (
  texts: readonly { readonly text: string; readonly style: TextStyle }[],
  setting: Setting,
): Line[] => {
  const { typeface, element, width } = setting
  const lines: { parts: Part[]; used: number; height: number }[] = []
  for (const { text, style } of texts) {
    const needed = widthOf(text, style, typeface)
    const gap = 0.45 * style.size
    const last = lines.at(-1)
    if (last !== undefined && last.used + gap + needed <= width && !text.includes('\n')) {
      last.parts.push({ text, style, x: last.used + gap })
      last.used += gap + needed
      last.height = Math.max(last.height, lineHeight(style.size))
      continue
    }
    for (const line of wrap(text, width, { typeface, weight: style.weight, size: style.size }))
      lines.push({
        parts: [{ text: line, style, x: 0 }],
        used: line === text ? needed : widthOf(line, style, typeface),
        height: lineHeight(style.size),
      })
  }
  return lines.map(({ parts, height }) => ({ element, parts, height }))
}

type Place = { readonly x: number; readonly top: number; readonly typeface: Typeface }

/** Draws lines below each other; those that belong to one element are marked together. */
export const drawLines = (page: Page, lines: readonly Line[], { x, top, typeface }: Place): void => {
  let y = top
  for (let from = 0; from < lines.length; ) {
    const element = lines[from]?.element
    if (element === undefined) return
    let end = from
    while (end < lines.length && lines[end]?.element === element) end += 1
    const block = from === 0 && end === lines.length ? lines : lines.slice(from, end)
    if (block.some(hasText)) page.mark(element, () => drawBlock(page, block, { x, top: y, typeface }))
    y += heightOf(block)
    from = end
  }
}

const hasText = ({ parts }: Line): boolean => parts.some(({ text }) => text !== '')

/** Draws lines that are there only for the eye, because they are a repetition. */
export const drawUnmarked = (page: Page, lines: readonly Line[], place: Place): void =>
  page.artifact(() => drawBlock(page, lines, place))

const drawBlock = (page: Page, lines: readonly Line[], { x, top, typeface }: Place): void => {
  let y = top
  for (const { parts, height } of lines) {
    y += height
    for (const { text, style, x: right } of parts) {
      if (text === '') continue
      page.line({
        runs: typeface.runsOf(text, style.weight),
        x: x + right,
        y: y - height * belowBaseLine,
        size: style.size,
        colour: style.colour,
        language: style.language,
      })
    }
  }
}
