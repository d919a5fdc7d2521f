import { number, type Source, text as textSource } from '../objects/source.ts'
import type { Reference } from '../objects/object-file.ts'
import type { Element } from '../tagging/structure.ts'
import type { Run } from '../text/typeface.ts'
import type { PageFonts } from './page-fonts.ts'

/** Red, green and blue, each from 0 to 1, as written in a page. */
export type Colour = string

/** A page. Distances are in points from the left and from the top. */
export type Page = {
  readonly reference: Reference
  /** What is drawn belongs to this element. */
  readonly mark: (element: Element, draw: () => void) => void
  /** What is drawn is no content: rules, page numbers, what is repeated. */
  readonly artifact: (draw: () => void, kind?: 'Header' | 'Footer' | 'Watermark') => void
  /** `y`: the base line. */
  readonly line: (line: LineOfText) => void
  readonly rule: (rule: Rule) => void
  readonly picture: (resource: string, place: Rectangle) => void
  /** A line of text around its middle, turned by an angle in degrees. */
  readonly turned: (line: LineOfText, angle: number) => void
}

export type LineOfText = {
  readonly runs: readonly Run[]
  readonly x: number
  readonly y: number
  readonly size: number
  readonly colour: Colour
  /** A BCP 47 tag, if it is not the language of the document. */
  readonly language?: string
}

export type Rule = {
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly stroke: number
  readonly colour: Colour
  readonly dash?: number
}

export type Rectangle = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type WrittenPage = Page & {
  /** The operators of the page. */
  readonly content: () => Source
  /** The elements of its marked content, in order. */
  readonly marked: readonly Element[]
  /** The resources of the pictures on it. */
  readonly pictures: ReadonlySet<string>
}

export const createPage = (reference: Reference, height: number, fonts: PageFonts): WrittenPage => {
  const operators: string[] = []
  const marked: Element[] = []
  const pictures = new Set<string>()
  const state = { fill: '', font: '', inText: false }
  const up = (y: number): string => number(height - y)
  const fill = (colour: Colour): void => {
    if (state.fill !== colour) operators.push(`${colour} rg`)
    state.fill = colour
  }
  const setFont = (resource: string, size: number): void => {
    const font = `/${resource} ${number(size)} Tf`
    if (state.font !== font) operators.push(font)
    state.font = font
  }
  const drawRun = (run: Run, { x, y, size }: { x: number; y: number; size: number }): void => {
    const font = fonts.use(run.font)
    setFont(font.resource, size)
    if (run.glyphs === undefined) {
      operators.push(`1 0 0 1 ${number(x)} ${up(y)} Tm <${font.encode(run.text)}> Tj`)
      return
    }
    const isReadByGlyph = run.isReadByGlyph ?? true
    if (!isReadByGlyph) operators.push(`/Span <</ActualText ${textSource(run.text)}>> BDC`)
    for (const { glyph, x: right, y: above, text } of run.glyphs) {
      const place = `${number(x + (right * size) / 1_000)} ${up(y - (above * size) / 1_000)}`
      operators.push(`1 0 0 1 ${place} Tm <${font.encodeGlyph(glyph, text)}> Tj`)
    }
    if (!isReadByGlyph) operators.push('EMC')
  }
  const drawRuns = ({ runs, x, y, size, colour }: LineOfText): void => {
    fill(colour)
    operators.push('BT')
    let at = x
    for (const run of runs) {
      drawRun(run, { x: at, y, size })
      at += (run.width * size) / 1_000
    }
    operators.push('ET')
  }
  return {
    reference,
    marked,
    pictures,
    content: () => operators.join('\n'),
    mark: (element, draw) => {
      element.children.push({ page: reference, id: marked.length })
      operators.push(`/${element.tag} <</MCID ${marked.length}>> BDC`)
      marked.push(element)
      draw()
      operators.push('EMC')
    },
    artifact: (draw, kind) => {
      operators.push(
        kind === undefined ? '/Artifact BMC' : `/Artifact <</Type /Pagination /Subtype /${kind}>> BDC`,
      )
      draw()
      operators.push('EMC')
    },
    line: (line) => {
      if (line.language !== undefined) operators.push(`/Span <</Lang ${textSource(line.language)}>> BDC`)
      drawRuns(line)
      if (line.language !== undefined) operators.push('EMC')
    },
    rule: ({ x, y, width = 0, height: down = 0, stroke, colour, dash }) => {
      const style = `${colour} RG ${number(stroke)} w ${dash === undefined ? '' : `[${dash}] 0 d `}`
      operators.push(`${style}${number(x)} ${up(y)} m ${number(x + width)} ${up(y + down)} l S`)
      if (dash !== undefined) operators.push('[] 0 d')
    },
    picture: (resource, { x, y, width, height: tall }) => {
      pictures.add(resource)
      operators.push(
        `q ${number(width)} 0 0 ${number(tall)} ${number(x)} ${up(y + tall)} cm /${resource} Do Q`,
      )
    },
    turned: (line, angle) => {
      const radians = (angle * Math.PI) / 180
      const [cos, sin] = [Math.cos(radians).toFixed(4), Math.sin(radians).toFixed(4)]
      const width = line.runs.reduce((sum, run) => sum + run.width, 0) * (line.size / 1_000)
      fill(line.colour)
      operators.push(
        `q ${cos} ${sin} -${sin} ${cos} ${number(line.x)} ${up(line.y)} cm 1 0 0 1 ${number(-width / 2)} ${number(-line.size * 0.35)} cm BT`,
      )
      for (const run of line.runs) {
        const font = fonts.use(run.font)
        setFont(font.resource, line.size)
        operators.push(`<${font.encode(run.text)}> Tj`)
      }
      operators.push('ET Q')
    },
  }
}
