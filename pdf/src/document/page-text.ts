import { number, type Source, text as textSource } from '../objects/source.ts'
import type { Run } from '../text/typeface.ts'
import type { PageFonts } from './page-fonts.ts'

/** Red, green and blue, each from 0 to 1, as written in a page. */
export type Colour = string

export type LineOfText = {
  readonly runs: readonly Run[]
  readonly x: number
  /** Of the base line. */
  readonly y: number
  readonly size: number
  readonly colour: Colour
  /** A BCP 47 tag, if it is not the language of the document. */
  readonly language?: string | undefined
}

export type PageText = {
  readonly line: (line: LineOfText) => void
  /** A line around its middle, turned by an angle in degrees. */
  readonly turned: (line: LineOfText, angle: number) => void
}

/** Writes text into the operators of a page of this height. Colour and font are set only if they change. */
export const createPageText = (operators: string[], height: number, fonts: PageFonts): PageText => {
  const state = { colour: '', font: '' }
  const setColour = (colour: Colour): void => {
    if (state.colour !== colour) operators.push(`${colour} rg`)
    state.colour = colour
  }
  const setFont = (resource: string, size: number): void => {
    const font = `/${resource} ${number(size)} Tf`
    if (state.font !== font) operators.push(font)
    state.font = font
  }
  /** Each run is a text object of its own, so that its place is from the origin. */
  const show = (string: Source, x: number, y: number): void =>
    void operators.push(`BT ${number(x)} ${number(y)} Td ${string} Tj ET`)
  const drawRun = (run: Run, { x, y, size }: { x: number; y: number; size: number }): void => {
    const font = fonts.use(run.font)
    setFont(font.resource, size)
    if (run.glyphs === undefined) return show(font.encode(run.text), x, y)
    const isReadByGlyph = run.isReadByGlyph ?? true
    if (!isReadByGlyph) operators.push(`/Span <</ActualText ${textSource(run.text)}>> BDC`)
    for (const { glyph, x: right, y: above, text } of run.glyphs)
      show(font.encodeGlyph(glyph, text), x + (right * size) / 1_000, y + (above * size) / 1_000)
    if (!isReadByGlyph) operators.push('EMC')
  }
  const drawRuns = ({ runs, size }: LineOfText, place: { readonly x: number; readonly y: number }): void => {
    let { x } = place
    for (const run of runs) {
      drawRun(run, { x, y: place.y, size })
      x += (run.width * size) / 1_000
    }
  }
  return {
    line: (line) => {
      if (line.language !== undefined) operators.push(`/Span <</Lang ${textSource(line.language)}>> BDC`)
      setColour(line.colour)
      drawRuns(line, { x: line.x, y: height - line.y })
      if (line.language !== undefined) operators.push('EMC')
    },
    turned: (line, angle) => {
      const { runs, x, y, size, colour } = line
      setColour(colour)
      const { font } = state
      operators.push(`q ${rotation(angle)} ${number(x)} ${number(height - y)} cm`)
      const width = runs.reduce((sum, run) => sum + run.width, 0) * (size / 1_000)
      drawRuns(line, { x: -width / 2, y: -size * belowMiddle })
      // The operator brings back the font of before.
      operators.push('Q')
      state.font = font
    },
  }
}

/** The distance of the base line from the middle of capitals, as a part of the font size. */
const belowMiddle = 0.35

const rotation = (angle: number): string => {
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return [cos, sin, -sin, cos].map((part) => part.toFixed(4)).join(' ')
}
