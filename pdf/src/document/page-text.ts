import type { ByteWriter } from '../objects/byte-writer.ts'
import { text as textSource } from '../objects/source.ts'
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

/** Writes text into the operators of a page of this height. */
export const createPageText = (output: ByteWriter, height: number, fonts: PageFonts): PageText => {
  const { setColour, setFont, keepFont } = createState(output)
  /** Each run is a text object of its own, so that its place is from the origin. */
  const begin = (x: number, y: number): void => {
    output.source('BT ')
    output.numbers(x, y)
    output.source(' Td (')
  }
  const end = (): void => output.source(') Tj ET\n')
  const drawRun = (run: Run, { x, y, size }: { x: number; y: number; size: number }): void => {
    const font = fonts.use(run.font)
    setFont(font.resource, size)
    if (run.glyphs === undefined) {
      begin(x, y)
      font.write(output, run.text)
      end()
      return
    }
    const isReadByGlyph = run.isReadByGlyph ?? true
    if (!isReadByGlyph) output.source(`/Span <</ActualText ${textSource(run.text)}>> BDC\n`)
    for (const { glyph, x: right, y: above, text } of run.glyphs) {
      begin(x + (right * size) / 1_000, y + (above * size) / 1_000)
      font.writeGlyph(output, { glyph, text })
      end()
    }
    if (!isReadByGlyph) output.source('EMC\n')
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
      if (line.language !== undefined) output.source(`/Span <</Lang ${textSource(line.language)}>> BDC\n`)
      setColour(line.colour)
      drawRuns(line, { x: line.x, y: height - line.y })
      if (line.language !== undefined) output.source('EMC\n')
    },
    turned: (line, angle) => {
      const { runs, x, y, size, colour } = line
      setColour(colour)
      const restoreFont = keepFont()
      output.source(`q ${rotation(angle)} `)
      output.numbers(x, height - y)
      output.source(' cm\n')
      const width = runs.reduce((sum, run) => sum + run.width, 0) * (size / 1_000)
      drawRuns(line, { x: -width / 2, y: -size * belowMiddle })
      output.source('Q\n')
      restoreFont()
    },
  }
}

/** Colour and font are written only if they change. */
const createState = (output: ByteWriter) => {
  const state = { colour: '', font: '', size: 0 }
  return {
    setColour: (colour: Colour): void => {
      if (state.colour === colour) return
      output.source(colour)
      output.source(' rg\n')
      state.colour = colour
    },
    setFont: (font: string, size: number): void => {
      if (state.font === font && state.size === size) return
      output.source('/')
      output.source(font)
      output.source(' ')
      output.number(size)
      output.source(' Tf\n')
      state.font = font
      state.size = size
    },
    /** For operators that bring back the font of before. */
    keepFont: () => {
      const { font, size } = state
      return (): void => {
        Object.assign(state, { font, size })
      }
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
