import type { Measure } from './measure.ts'
import type { PageBlock } from './page-model.ts'

type Line = { readonly measure: Measure; readonly width: number }

/** A generous estimate of the height of blocks in points, to decide what fits on a page. */
export const heightOf = (blocks: readonly PageBlock[], line: Line): number =>
  blocks.reduce((sum, block) => sum + heightOfBlock(block, line), 0)

const heightOfBlock = (block: PageBlock, { measure, width }: Line): number => {
  if (block.kind === 'picture') return 90
  if (block.kind === 'table') {
    const rows = block.table.breakable ? Number.POSITIVE_INFINITY : block.table.rows.length + 4
    return block.table.parts.length * rows * (block.table.together ? 16 : 60)
  }
  if (block.kind === 'fields') {
    return block.fields.reduce((sum, { value, span }) => {
      const lines = linesOf(value, { measure, width: (width * span) / 3 - 16 })
      return sum + ((lines * 13 + 20) * span) / 3
    }, 30)
  }
  return 20 + Math.max(0, ...block.text.map((text) => linesOf(text, { measure, width: width / 2 - 8 }))) * 14
}

const linesOf = (text: string, { measure, width }: Line): number =>
  text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil((1.15 * measure.text(line, 9)) / width)), 0)
