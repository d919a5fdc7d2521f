import { ByteWriter } from '../objects/byte-writer.ts'
import { number } from '../objects/source.ts'
import type { Reference } from '../objects/object-file.ts'
import type { Element } from '../tagging/structure.ts'
import type { PageFonts } from './page-fonts.ts'
import { type Colour, createPageText, type PageText } from './page-text.ts'

/** A page. Distances are in points from the left and from the top. */
export type Page = PageText & {
  readonly reference: Reference
  /** What is drawn belongs to this element. */
  readonly mark: (element: Element, draw: () => void) => void
  /** What is drawn is no content: rules, page numbers, what is repeated. */
  readonly artifact: (draw: () => void, kind?: 'Header' | 'Footer' | 'Watermark') => void
  readonly rule: (rule: Rule) => void
  readonly picture: (resource: string, place: Rectangle) => void
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
  readonly content: () => Uint8Array
  /** The elements of its marked content, in order. */
  readonly marked: readonly Element[]
  /** The resources of the pictures on it. */
  readonly pictures: ReadonlySet<string>
}

export const createPage = (reference: Reference, height: number, fonts: PageFonts): WrittenPage => {
  const output = new ByteWriter(32_768)
  const marked: Element[] = []
  const pictures = new Set<string>()
  /** What draws rules; it is set only if it changes. */
  const state = { pen: '' }
  return {
    ...createPageText(output, height, fonts),
    reference,
    marked,
    pictures,
    // Without the end of the last line.
    content: () => output.written.subarray(0, -1),
    mark: (element, draw) => {
      element.children.push({ page: reference, id: marked.length })
      output.source('/')
      output.source(element.tag)
      output.source(' <</MCID ')
      output.integer(marked.length)
      output.source('>> BDC\n')
      marked.push(element)
      draw()
      output.source('EMC\n')
    },
    artifact: (draw, kind) => {
      output.source(
        kind === undefined ? '/Artifact BMC\n' : `/Artifact <</Type /Pagination /Subtype /${kind}>> BDC\n`,
      )
      draw()
      output.source('EMC\n')
    },
    rule: ({ x, y, width = 0, height: down = 0, stroke, colour, dash = '' }) => {
      const pen = `${colour} RG ${number(stroke)} w [${dash}] 0 d\n`
      if (state.pen !== pen) output.source(pen)
      state.pen = pen
      output.numbers(x, height - y)
      output.source(' m ')
      output.numbers(x + width, height - (y + down))
      output.source(' l S\n')
    },
    picture: (resource, { x, y, width, height: tall }) => {
      pictures.add(resource)
      output.source('q ')
      output.numbers(width, 0, 0, tall, x, height - (y + tall))
      output.source(` cm /${resource} Do Q\n`)
    },
  }
}
