export type { Attachment } from './document/attachments.ts'
export type { Page, Rectangle } from './document/page.ts'
export type { Colour } from './document/page-text.ts'
export { createPdfDocument, type PdfDocument } from './document/pdf-document.ts'
export { type Font, readFont } from './fonts/font.ts'
export { paginate } from './layout/flow.ts'
export { type Block, type Head, heightOfPiece, type Piece } from './layout/pieces.ts'
export {
  drawLines,
  drawUnmarked,
  heightOf,
  inline,
  type Line,
  lineHeight,
  linesOf,
  type Part,
  type Stack,
  type TextStyle,
  widthOf,
} from './layout/lines.ts'
export { rowOf } from './layout/rows.ts'
export type { Deflate } from './objects/object-file.ts'
export type { Image } from './pictures/image.ts'
export { imageOfJpeg } from './pictures/jpeg.ts'
export { imageOfPng, type Inflate } from './pictures/png.ts'
export type { Element, Structure } from './tagging/structure.ts'
export { loadShaper, type Shaper } from './text/shaper.ts'
export { createTypeface, needsShaping, type Typeface, type Weight } from './text/typeface.ts'
export { isAtomic, widestPart } from './text/wrap.ts'
export { type FixWeight, openFixWeight } from './fonts/fix-weight.ts'
export { readWoff2 } from './fonts/woff2.ts'
