import { type Block, heightOfPiece, type Piece, type PlacedPiece } from './pieces.ts'

/** A document with more may have its closing blocks alone on the last page. */
export const fewPages = 3
/** A last page with less on it is avoided: a part of its height. */
const leastOnLastPage = 0.15
/** So much of a page should stay filled. */
const wellFilled = 2 / 3

type Page = readonly PlacedPiece[]

const usedOn = (page: Page = []): number => {
  const last = page.at(-1)
  return last === undefined ? 0 : last.top + heightOfPiece(last.piece, last.scale)
}

export const isNearlyEmpty = (page: Page | undefined, height: number): boolean =>
  usedOn(page) < leastOnLastPage * height

/**
 * The piece of the page before the last that moves to the last one, with all below it, so that this has enough, and not
 * only closing blocks. Undefined if it is well as it is, or cannot be better.
 */
export const pieceToMove = (
  pages: readonly Page[],
  blocks: readonly Block[],
  height: number,
): Piece | undefined => {
  const [before = [], last = []] = pages.slice(-2)
  const closing = piecesOf(blocks.filter(({ isClosing }) => isClosing))
  const needsOther = pages.length <= fewPages && last.every(({ piece }) => closing.has(piece))
  const missing = Math.max(0, leastOnLastPage * height - usedOn(last))
  if (pages.length === 1 || (missing === 0 && !needsOther)) return undefined
  const starts = before.flatMap(({ piece, top, scale }, at) => {
    const isFollowing = before[at - 1]?.piece.withNext ?? false
    const moved = usedOn(before) - top
    const hasOther = !needsOther || before.slice(at).some((one) => !closing.has(one.piece))
    const fits = moved + piece.above * scale + usedOn(last) <= height
    const isPossible = at > 0 && isFollowing !== true && moved >= missing && hasOther && fits
    return isPossible ? [{ piece, top, isFollowing }] : []
  })
  const firsts = piecesOf(blocks.map(({ pieces }) => ({ pieces: pieces.slice(0, 1) })))
  const isFilled = ({ top }: { top: number }): boolean => top >= wellFilled * height
  const unbound = starts.filter(({ isFollowing }) => isFollowing === false)
  const best =
    unbound.findLast((start) => firsts.has(start.piece) && isFilled(start)) ??
    unbound.findLast(isFilled) ??
    starts.findLast(isFilled) ??
    unbound.at(-1)
  return best?.piece
}

const piecesOf = (blocks: readonly Block[]): ReadonlySet<Piece> =>
  new Set(blocks.flatMap(({ pieces }) => pieces))
