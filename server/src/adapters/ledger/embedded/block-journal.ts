import type { Selectable } from 'kysely'
import type { LedgerBlocks } from '../../../ports/database/tables.ts'
import type { ReadableFiles } from '../../../ports/files/files.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

/** Which entries were committed together, and when. The tiles do not contain this. */
export type Block = Omit<Selectable<LedgerBlocks>, 'mode'>

/** A file with one line per block. */
export const journalName = 'blocks'

const firstReadBytes = 65_536
const streamedBytes = 262_144

/** The length of the journal without an incomplete last line and without blocks that a checkpoint of `size` lacks. */
export const finishedBytes = async (files: ReadableFiles, size: number): Promise<number> => {
  const bytes = (await files.size(journalName)) ?? 0
  const from = Math.max(0, bytes - firstReadBytes)
  return bytes - surplusBytes(await readText(files, { from, to: bytes }), size)
}

/** The blocks with entries from `from` on, of a log of `size` entries, oldest first. Meant for the end of a log. */
export const readBlocks = async (
  files: ReadableFiles,
  { from: index, size }: { readonly from: number; readonly size: number },
): Promise<readonly Block[]> => {
  const bytes = await finishedBytes(files, size)
  // Backwards from the end, in growing steps: a start needs only the last lines.
  for (let wanted = firstReadBytes; ; wanted *= 4) {
    const from = Math.max(0, bytes - wanted)
    const lines = (await readText(files, { from, to: bytes })).split('\n').slice(from === 0 ? 0 : 1)
    const blocks = lines.flatMap((line) => parseBlock(line) ?? [])
    const [oldest] = blocks
    if (from === 0 || (oldest !== undefined && oldest.firstIndex <= index)) {
      assertAdjoining(blocks)
      return blocks.filter((block) => block.firstIndex + block.entryCount > index)
    }
  }
}

/** All blocks, oldest first, without keeping them in memory. */
export const streamBlocks = async function* (files: ReadableFiles): AsyncGenerator<Block> {
  let before: Block | undefined
  for await (const line of streamLines(files)) {
    const block = parseBlock(line)
    if (block === undefined) throw new LedgerDamaged('The file "blocks" has a line that is not a block')
    assertAdjoining(before === undefined ? [block] : [before, block])
    before = block
    yield block
  }
}

const streamLines = async function* (files: ReadableFiles): AsyncGenerator<string> {
  let rest = ''
  for (let from = 0; ; from += streamedBytes) {
    const part = await files.readRange(journalName, { offset: from, length: streamedBytes })
    if (part === undefined && from === 0) throw new LedgerDamaged('The file "blocks" is missing')
    const lines = (rest + (part?.toString('utf8') ?? '')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (part === undefined || part.length < streamedBytes) break
  }
  if (rest !== '') yield rest
}

const readText = async (
  files: ReadableFiles,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string> => {
  if (from >= to) return ''
  const bytes = await files.readRange(journalName, { offset: from, length: to - from })
  return bytes?.toString('utf8') ?? ''
}

const assertAdjoining = (blocks: readonly Block[]): void => {
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1]
    if (before === undefined) continue
    const follows =
      block.height === before.height + 1 && block.firstIndex === before.firstIndex + before.entryCount
    if (!follows) throw new LedgerDamaged(`The file "blocks" has a gap before block ${block.height}`)
  }
}

/** The bytes at the end that are an incomplete line, or blocks beyond `size`. */
const surplusBytes = (tail: string, size: number): number => {
  const lines = tail.split('\n')
  let surplus = Buffer.byteLength(lines.pop() ?? '')
  for (const line of lines.toReversed()) {
    const block = parseBlock(line)
    if (block !== undefined && block.firstIndex + block.entryCount <= size) break
    surplus += Buffer.byteLength(line) + 1
  }
  return surplus
}

export const writeBlock = ({ height, firstIndex, entryCount, committedAt }: Block): string =>
  `${height} ${firstIndex} ${entryCount} ${committedAt.toISOString()}\n`

const parseBlock = (line: string): Block | undefined => {
  const [, height, firstIndex, entryCount, time = ''] = /^(\d+) (\d+) (\d+) (\d{4}-\S+Z)$/.exec(line) ?? []
  if (height === undefined || Number.isNaN(Date.parse(time))) return undefined
  return {
    height: Number(height),
    firstIndex: Number(firstIndex),
    entryCount: Number(entryCount),
    committedAt: new Date(time),
  }
}
