import type { Page } from '../document/page.ts'

/** Something that is drawn at one place of one page. Heights are in points. */
export type Piece = {
  readonly height: number
  /** Space between it and the piece above on the same page. */
  readonly above: number
  /** It is on the page of the next piece of its block. */
  readonly withNext?: boolean
  readonly draw: (page: Page, top: number) => void
  /** Repeated above the piece if it is the first on a page: the head of its table. */
  readonly head?: Head
}

export type Head = { readonly height: number; readonly draw: (page: Page, top: number) => void }

/** Pieces that belong together. A short block is not divided, unless much of a page would stay empty. */
export type Block = { readonly pieces: readonly Piece[] }

export type PlacedPiece = { readonly piece: Piece; readonly top: number; readonly head?: Head }

const shortBlock = 0.45
const maxEmpty = 0.15
/** A last page with less on it is avoided. */
const leastOnLastPage = 0.15
/** How much of the space between pieces remains, if this saves a nearly empty page. */
const tighter = [1, 0.85, 0.7]

/** Distributes blocks over pages of this height. There is at least one page. */
export const paginate = (blocks: readonly Block[], height: number): readonly (readonly PlacedPiece[])[] => {
  const [first, ...others] = tighter.map((scale) => () => distribute(blocks, height, scale))
  const pages = first?.() ?? [[]]
  if (pages.length === 1 || usedOn(pages.at(-1)) >= leastOnLastPage * height) return pages
  for (const other of others) {
    const fewer = other()
    if (fewer.length < pages.length) return fewer
  }
  return distribute(blocks, height, 1, { leastOnLast: leastOnLastPage * height, pages })
}

const usedOn = (page: readonly PlacedPiece[] | undefined): number => {
  const last = page?.at(-1)
  return last === undefined ? 0 : last.top + last.piece.height
}

type Unfinished = { readonly leastOnLast: number; readonly pages: readonly (readonly PlacedPiece[])[] }

/** Pieces that are on one page. */
type Unit = readonly Piece[]

const distribute = (
  blocks: readonly Block[],
  height: number,
  scale: number,
  balanced?: Unfinished,
): PlacedPiece[][] => {
  const breakBefore = balanced === undefined ? undefined : pieceToBreakBefore(balanced)
  const pages: PlacedPiece[][] = [[]]
  let y = 0
  const newPage = (): void => {
    if (pages.at(-1)?.length === 0) return
    pages.push([])
    y = 0
  }
  const place = (piece: Piece): void => {
    const page = pages.at(-1) ?? []
    const head = page.length === 0 ? piece.head : undefined
    y += page.length === 0 ? (head?.height ?? 0) : piece.above * scale
    page.push({ piece, top: y, ...(head && { head }) })
    y += piece.height
  }
  const room = (): number => height - y
  for (const { pieces } of blocks) {
    const needed = heightOfUnit(pieces, scale)
    const isShort = needed <= shortBlock * height
    if (needed > room() && isShort && room() <= maxEmpty * height) newPage()
    for (const unit of unitsOf(pieces)) {
      const isTall = heightOfUnit(unit, scale) > height
      if (unit.some((piece) => piece === breakBefore)) newPage()
      if (heightOfUnit(unit, scale) > room() && !isTall) newPage()
      for (const piece of unit) {
        if (isTall && piece.above * scale + piece.height > room()) newPage()
        place(piece)
      }
    }
  }
  return pages
}

const heightOfUnit = (unit: Unit, scale: number): number =>
  unit.reduce((sum, { above, height }) => sum + above * scale + height, 0)

const unitsOf = (pieces: readonly Piece[]): Unit[] => {
  const units: Piece[][] = [[]]
  for (const piece of pieces) {
    units.at(-1)?.push(piece)
    if (piece.withNext !== true) units.push([])
  }
  return units.filter((unit) => unit.length > 0)
}

/** The piece of the page before the last one with which the last page would no longer be nearly empty. */
const pieceToBreakBefore = ({ leastOnLast, pages }: Unfinished): Piece | undefined => {
  const [before = [], last] = pages.slice(-2)
  const missing = leastOnLast - usedOn(last)
  const end = usedOn(before)
  return before.slice(1).findLast(({ top }) => end - top >= missing)?.piece
}
