import { number, type Source } from '../objects/source.ts'
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
  /** What draws rules; it is set only if it changes. */
  const state = { pen: '' }
  const up = (y: number): string => number(height - y)
  return {
    ...createPageText(operators, height, fonts),
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
    rule: ({ x, y, width = 0, height: down = 0, stroke, colour, dash = '' }) => {
      const pen = `${colour} RG ${number(stroke)} w [${dash}] 0 d`
      if (state.pen !== pen) operators.push(pen)
      state.pen = pen
      operators.push(`${number(x)} ${up(y)} m ${number(x + width)} ${up(y + down)} l S`)
    },
    picture: (resource, { x, y, width, height: tall }) => {
      pictures.add(resource)
      operators.push(
        `q ${number(width)} 0 0 ${number(tall)} ${number(x)} ${up(y + tall)} cm /${resource} Do Q`,
      )
    },
  }
}
