import type { Page } from '../document/page.ts'
import type { Typeface } from '../text/typeface.ts'
import type { Piece } from './pieces.ts'
import { drawLines, heightOf, type Stack } from './lines.ts'

export type RowOptions = {
  readonly typeface: Typeface
  readonly above: number
  /** Space above and below the text. */
  readonly padding?: { readonly top: number; readonly bottom: number }
  readonly minHeight?: number
  /** A row with taller text is divided where its lines are. */
  readonly maxHeight?: number
  /** Draws what surrounds the text: rules. */
  readonly decorate?: (page: Page, box: { readonly top: number; readonly height: number }) => void
}

/** Fits any page. */
const tallest = 420

/** Stacks beside each other: one piece, or several if they are very tall. */
export const rowOf = (stacks: readonly Stack[], options: RowOptions): Piece[] => {
  const { padding = { top: 0, bottom: 0 }, minHeight = 0, maxHeight = tallest } = options
  const height = Math.max(minHeight, ...stacks.map(({ lines }) => heightOf(lines)))
  if (height <= maxHeight) return [pieceOf(stacks, options, { ...padding, height })]
  const slices = slicesOf(stacks, maxHeight)
  return slices.map((slice, index) =>
    pieceOf(slice, index === 0 ? options : { ...options, above: 0 }, {
      top: index === 0 ? padding.top : 0,
      bottom: index === slices.length - 1 ? padding.bottom : 0,
      height: Math.max(...slice.map(({ lines }) => heightOf(lines))),
    }),
  )
}

const pieceOf = (
  stacks: readonly Stack[],
  { typeface, above, decorate }: RowOptions,
  inner: { readonly top: number; readonly bottom: number; readonly height: number },
): Piece => {
  const padding = inner.top + inner.bottom
  return {
    above,
    height: inner.height + padding,
    padding,
    draw: (page, top, scale) => {
      for (const { x, lines } of stacks) drawLines(page, lines, { x, top: top + inner.top * scale, typeface })
      decorate?.(page, { top, height: inner.height + padding * scale })
    },
  }
}

const slicesOf = (stacks: readonly Stack[], maxHeight: number): Stack[][] => {
  const slices: Stack[][] = []
  const rest = stacks.map(({ x, lines }) => ({ x, lines, next: 0 }))
  while (rest.some(({ lines, next }) => next < lines.length)) {
    slices.push(
      rest.map((stack) => {
        const from = stack.next
        let used = 0
        while (stack.next < stack.lines.length) {
          const { height } = stack.lines[stack.next] ?? { height: 0 }
          if (stack.next > from && used + height > maxHeight) break
          used += height
          stack.next += 1
        }
        return { x: stack.x, lines: stack.lines.slice(from, stack.next) }
      }),
    )
  }
  return slices
}
