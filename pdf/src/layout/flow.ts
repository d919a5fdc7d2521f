import type { Page } from '../document/page.ts'

/** Something that is drawn at one place of one page. Heights are in points. */
export type Piece = {
  readonly height: number
  /** Space between it and the piece above on the same page. */
  readonly above: number
  /** It is on the page of the next piece of its block. */
  readonly withNext?: boolean
  readonly draw: (page: Page, top: number) => void
  /** The head of its table: repeated above the piece if it is the first on a page and there is room for both. */
  readonly head?: Head
}

export type Head = { readonly height: number; readonly draw: (page: Page, top: number) => void }

/** Pieces that belong together. A short block is not divided, unless much of a page would stay empty. */
export type Block = { readonly pieces: readonly Piece[] }

export type PlacedPiece = { readonly piece: Piece; readonly top: number; readonly head?: Head | undefined }

/** As parts of the height of a page. */
const shortBlock = 0.45
const maxEmpty = 0.15
/** A last page with less on it is avoided. */
const leastOnLastPage = 0.15
/** How much of the space between pieces remains, if this saves a nearly empty page. */
const tighter = [0.85, 0.7]

/** Distributes blocks over pages of this height. There is at least one page. */
export const paginate = (blocks: readonly Block[], height: number): readonly (readonly PlacedPiece[])[] => {
  const pages = distribute(blocks, { height, scale: 1 })
  const missing = leastOnLastPage * height - usedOn(pages.at(-1))
  if (pages.length === 1 || missing <= 0) return pages
  for (const scale of tighter) {
    const fewer = distribute(blocks, { height, scale })
    if (fewer.length < pages.length) return fewer
  }
  const balanced = distribute(blocks, {
    height,
    scale: 1,
    breakBefore: pieceToMove(pages.at(-2), { missing, height }),
  })
  return balanced.length === pages.length ? balanced : pages
}

const usedOn = (page: readonly PlacedPiece[] = []): number => {
  const last = page.at(-1)
  return last === undefined ? 0 : last.top + last.piece.height
}

/** The last piece of a page that leaves the next page enough if it moves there with all pieces below it. */
const pieceToMove = (
  page: readonly PlacedPiece[] = [],
  { missing, height }: { readonly missing: number; readonly height: number },
): Piece | undefined => {
  const moved = page.findLastIndex(({ top }) => usedOn(page) - top >= missing)
  const whole = startOfUnit(page, moved)
  if (moved <= 0) return undefined
  // What stays whole takes along a short unit above it, so that a declaration is on the page of a result.
  const above = whole < moved ? startOfUnit(page, whole - 1) : 0
  const taken = (page[whole]?.top ?? 0) - (page[above]?.top ?? 0)
  return page[above > 0 && taken <= maxEmpty * height ? above : moved]?.piece
}

/** The position of the first piece of the unit that contains this piece. */
const startOfUnit = (page: readonly PlacedPiece[], at: number): number =>
  page.slice(0, Math.max(0, at)).findLastIndex(({ piece }) => piece.withNext !== true) + 1

type Distribution = {
  readonly height: number
  /** How much of the space between pieces remains. */
  readonly scale: number
  readonly breakBefore?: Piece | undefined
}

/** Pieces that are on one page. */
type Unit = readonly Piece[]

const distribute = (
  blocks: readonly Block[],
  { height, scale, breakBefore }: Distribution,
): PlacedPiece[][] => {
  const pages: PlacedPiece[][] = [[]]
  let y = 0
  const newPage = (): void => {
    if (pages.at(-1)?.length === 0) return
    pages.push([])
    y = 0
  }
  const room = (): number => height - y
  const place = (unit: Unit): void => {
    const [first] = unit
    if (first === undefined) return
    if (heightBelow(unit, scale) > room()) newPage()
    for (const piece of unit) {
      const page = pages.at(-1) ?? []
      const head = page.length === 0 && headFits(unit, { height, scale }) ? first.head : undefined
      y += page.length === 0 ? (head?.height ?? 0) : piece.above * scale
      page.push({ piece, top: y, head })
      y += piece.height
    }
  }
  for (const { pieces } of blocks) {
    const needed = heightBelow(pieces, scale)
    const isShort = needed > 0 && needed <= shortBlock * height
    if (isShort && needed > room() && room() <= maxEmpty * height) newPage()
    for (const unit of unitsOf(pieces)) {
      if (breakBefore !== undefined && unit.includes(breakBefore)) newPage()
      if (heightOfUnit(unit, scale) <= height) place(unit)
      else for (const piece of unit) place([piece])
    }
  }
  return pages
}

/** The height of pieces at the top of a page: without the space above the first. */
const heightOfUnit = (unit: Unit, scale: number): number =>
  heightBelow(unit, scale) - (unit[0]?.above ?? 0) * scale

/** The height of pieces below others. */
const heightBelow = (unit: Unit, scale: number): number =>
  unit.reduce((sum, { above, height }) => sum + above * scale + height, 0)

const headFits = (unit: Unit, { height, scale }: Distribution): boolean =>
  (unit[0]?.head?.height ?? 0) + heightOfUnit(unit, scale) <= height

const unitsOf = (pieces: readonly Piece[]): Unit[] => {
  const units: Piece[][] = [[]]
  for (const piece of pieces) {
    units.at(-1)?.push(piece)
    if (piece.withNext !== true) units.push([])
  }
  return units.filter((unit) => unit.length > 0)
}
