import {
  createPdfDocument,
  createTypeface,
  type Deflate,
  drawLines,
  heightOf,
  imageOfPng,
  type Inflate,
  linesOf,
  loadShaper,
  paginate,
  type Piece,
  readFont,
  rowOf,
  type TextStyle,
} from '../src/index.ts'

/** What a browser and Node do in their own ways, and files. */
export type SampleTools = {
  readonly regular: Uint8Array
  readonly strong: Uint8Array
  readonly symbols: Uint8Array
  /** An interlaced PNG. */
  readonly picture: Uint8Array
  readonly deflate: Deflate
  readonly inflate: Inflate
}

const style: TextStyle = { weight: 'regular', size: 10, colour: '0 0 0' }
const inner = { x: 30, top: 30, width: 240, height: 340 }

/** A document of two pages with text, rows of a table, a picture and an attachment, drawn by a browser or by Node. */
export const drawSample = async (tools: SampleTools): Promise<Uint8Array> => {
  const [regular, strong, symbols] = [tools.regular, tools.strong, tools.symbols].map(readFont)
  if (regular === undefined || strong === undefined || symbols === undefined)
    throw new TypeError('A font is missing')
  const typeface = createTypeface({ regular, strong, others: [symbols], shaper: await loadShaper() })
  const pdf = createPdfDocument({
    size: { width: 300, height: 400 },
    metadata: { title: 'Sample', description: 'A sample', keywords: '', language: 'en', day: '2026-01-31' },
    attachments: [
      {
        name: 'prüfung.json',
        type: 'application/json',
        description: 'The data',
        relationship: 'Source',
        bytes: new TextEncoder().encode('{"heat":"H-1"}'),
      },
    ],
    id: '0123456789abcdef'.repeat(2),
    deflate: tools.deflate,
  })
  const { structure } = pdf
  const { root } = structure
  const resource = pdf.addImage(await imageOfPng(tools.picture, tools))
  const figure = structure.add('Figure', root, { alternative: 'A stamp', box: [30, 310, 90, 370] })
  const picture: Piece = {
    above: 0,
    height: 60,
    draw: (page, top) =>
      page.mark(figure, () => page.picture(resource, { x: 30, y: top, width: 60, height: 60 })),
  }
  const paragraph = (text: string): Piece => {
    const lines = linesOf(text, style, { typeface, element: structure.add('P', root), width: inner.width })
    return {
      above: 6,
      height: heightOf(lines),
      draw: (page, top) => drawLines(page, lines, { x: inner.x, top, typeface }),
    }
  }
  const body = structure.add('TBody', structure.add('Table', root))
  const row = (heat: string, value: string): Piece[] => {
    const element = structure.add('TR', body)
    const cell = (text: string, x: number) => ({
      x: inner.x + x,
      lines: linesOf(text, style, { typeface, element: structure.add('TD', element), width: 100 }),
    })
    return rowOf([cell(heat, 0), cell(value, 120)], { typeface, above: 2 })
  }
  const rows = Array.from({ length: 30 }, (_, index) => row(`H-${index + 1}`, `≥ ${index}.5 MPa`)).flat()
  const pieces = [
    picture,
    paragraph('Größe: Žluťoučký ⌀ 12 mm, e\u0301'),
    paragraph('תעודת בדיקה EN 10204'),
    ...rows,
  ]
  for (const placed of paginate([{ pieces }], inner.height)) {
    const page = pdf.addPage()
    for (const { piece, top, scale } of placed) piece.draw(page, inner.top + top, scale)
  }
  return pdf.toBytes()
}
