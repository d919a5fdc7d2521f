import { fewPages, isNearlyEmpty, pieceToMove } from './last-page.ts'
import { type Block, heightOfPiece, type Piece, type PlacedPiece } from './pieces.ts'

/** As parts of the height of a page. */
const shortBlock = 0.45
const maxEmpty = 0.15
const mostEmpty = 1 / 3
/** How much of the space between and in pieces remains, if this saves a page. */
const tighter = [0.85, 0.7, 0.55]

/** Distributes blocks over pages of this height. There is at least one page. */
export const paginate = (blocks: readonly Block[], height: number): readonly (readonly PlacedPiece[])[] => {
  const loose = distribute(blocks, { height, scale: 1 })
  if (loose.length === 1) return loose
  const fewer =
    loose.length <= fewPages || isNearlyEmpty(loose.at(-1), height)
      ? tighter.map((scale) => ({ scale, pages: distribute(blocks, { height, scale }) }))
      : []
  const { scale, pages } = fewer.find((one) => one.pages.length < loose.length) ?? { scale: 1, pages: loose }
  const breakBefore = pieceToMove(pages, blocks, height)
  if (breakBefore === undefined) return pages
  const balanced = distribute(blocks, { height, scale, breakBefore })
  return balanced.length === pages.length ? balanced : pages
}

type Distribution = {
  readonly height: number
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
      page.push({ piece, top: y, head, scale })
      y += heightOfPiece(piece, scale)
    }
  }
  const placeOrDivide = (unit: Unit): void => {
    const isTooTall = heightOfUnit(unit, scale) > height
    if (isTooTall) for (const piece of unit) place([piece])
    else if (heightBelow(unit, scale) > room() && room() > mostEmpty * height)
      for (const part of unitsOf(unit, true)) place(part)
    else place(unit)
  }
  for (const { pieces } of blocks) {
    const needed = heightBelow(pieces, scale)
    const isShort = needed > 0 && needed <= shortBlock * height
    if (isShort && needed > room() && room() <= maxEmpty * height) newPage()
    for (const unit of unitsOf(pieces)) {
      const at = unit.findIndex((piece) => piece === breakBefore)
      if (at > 0) placeOrDivide(unit.slice(0, at))
      if (at >= 0) newPage()
      placeOrDivide(at > 0 ? unit.slice(at) : unit)
    }
  }
  return pages
}

/** The height of pieces at the top of a page: without the space above the first. */
const heightOfUnit = (unit: Unit, scale: number): number =>
  heightBelow(unit, scale) - (unit[0]?.above ?? 0) * scale

/** The height of pieces below others. */
const heightBelow = (unit: Unit, scale: number): number =>
  unit.reduce((sum, piece) => sum + piece.above * scale + heightOfPiece(piece, scale), 0)

const headFits = (unit: Unit, { height, scale }: Distribution): boolean =>
  (unit[0]?.head?.height ?? 0) + heightOfUnit(unit, scale) <= height

/** `isDivided`: also where pieces would only rather be together. */
const unitsOf = (pieces: readonly Piece[], isDivided = false): Unit[] => {
  const units: Piece[][] = [[]]
  for (const piece of pieces) {
    units.at(-1)?.push(piece)
    const isBound = piece.withNext === true || (piece.withNext === 'ifFilled' && !isDivided)
    if (!isBound) units.push([])
  }
  return units.filter((unit) => unit.length > 0)
}
