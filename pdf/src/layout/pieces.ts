import type { Page } from '../document/page.ts'

/** Something that is drawn at one place of one page. Heights are in points. */
export type Piece = {
  readonly height: number
  /** The part of its height that is empty, and smaller on tight pages. */
  readonly padding?: number
  /** Space between it and the piece above on the same page. */
  readonly above: number
  /** It is on the page of the next piece of its block; `ifFilled`: unless much of a page would stay empty. */
  readonly withNext?: boolean | 'ifFilled'
  /** `scale`: how much of its padding remains. */
  readonly draw: (page: Page, top: number, scale: number) => void
  /** The head of its table: repeated above the piece if it is the first on a page and there is room for both. */
  readonly head?: Head
}

export type Head = { readonly height: number; readonly draw: (page: Page, top: number) => void }

/** Pieces that belong together. A short block is not divided, unless much of a page would stay empty. */
export type Block = {
  readonly pieces: readonly Piece[]
  /** Of few pages, the last one also has a piece of a block that does not close the document. */
  readonly isClosing?: boolean
}

export type PlacedPiece = {
  readonly piece: Piece
  readonly top: number
  readonly head?: Head | undefined
  readonly scale: number
}

/** `scale`: how much of its padding remains. */
export const heightOfPiece = ({ height, padding = 0 }: Piece, scale: number): number =>
  height - padding * (1 - scale)
