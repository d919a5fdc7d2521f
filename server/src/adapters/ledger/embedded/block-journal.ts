import { constants, createReadStream } from 'node:fs'
import { copyFile, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Selectable } from 'kysely'
import type { LedgerBlocks } from '../../../ports/database/tables.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { flushFolder, isMissing } from './durable-files.ts'
import type { TileWriter } from './tile-writer.ts'

/** Which entries were committed together, and when. The tiles do not contain this. */
export type Block = Omit<Selectable<LedgerBlocks>, 'mode'>

/** A file with one line per block. */
export type BlockJournal = AsyncDisposable & {
  /** Resolves when the block is on disk. */
  append(block: Block): Promise<void>
}

const firstReadBytes = 65_536

/**
 * Replaces the file by a copy of itself, without unfinished blocks that a checkpoint of `size` entries does not contain: a
 * previous writer that is still running appends to a file that is never read.
 */
export const openBlockJournal = async (
  { path, stagingFolder }: Pick<TileWriter, 'path' | 'stagingFolder'>,
  size: number,
): Promise<BlockJournal> => {
  await using opening = new AsyncDisposableStack()
  const [there, own] = [join(path, 'blocks'), join(stagingFolder, 'blocks')]
  await copyFile(there, own, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  const file = opening.use(await open(own, 'a+'))
  await file.truncate(await finishedBytes(file, size))
  await file.datasync()
  await rename(own, there)
  await flushFolder(path)
  const opened = opening.move()
  return {
    async append(block) {
      await file.appendFile(writeBlock(block))
      await file.datasync()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The blocks with entries from `from` on, of a log of `size` entries, oldest first. Meant for the end of a log. */
export const readBlocks = async (
  folder: string,
  { from, size }: { readonly from: number; readonly size: number },
): Promise<readonly Block[]> => {
  try {
    await using file = await open(join(folder, 'blocks'), 'r')
    return await readFinished(file, { bytes: await finishedBytes(file, size), index: from })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** All blocks, oldest first, without keeping them in memory. */
export const streamBlocks = async function* (folder: string): AsyncGenerator<Block> {
  let before: Block | undefined
  const lines = createInterface({ input: createReadStream(join(folder, 'blocks')) })
  for await (const line of lines) {
    const block = parseBlock(line)
    if (block === undefined) throw new LedgerDamaged('The file "blocks" has a line that is not a block')
    assertAdjoining(before === undefined ? [block] : [before, block])
    before = block
    yield block
  }
}

type Readable = Pick<Awaited<ReturnType<typeof open>>, 'read' | 'stat'>

/** The length of the file without an incomplete last line and without blocks beyond `size`. */
const finishedBytes = async (file: Readable, size: number): Promise<number> => {
  const bytes = (await file.stat()).size
  const from = Math.max(0, bytes - firstReadBytes)
  return bytes - surplusBytes(await readTail(file, { bytes, from }), size)
}

/** Reads backwards from the end, in growing steps: a start needs only the last lines. */
const readFinished = async (
  file: Readable,
  { bytes, index }: { readonly bytes: number; readonly index: number },
): Promise<readonly Block[]> => {
  for (let wanted = firstReadBytes; ; wanted *= 4) {
    const from = Math.max(0, bytes - wanted)
    const lines = (await readTail(file, { bytes, from })).split('\n').slice(from === 0 ? 0 : 1)
    const blocks = lines.flatMap((line) => parseBlock(line) ?? [])
    const [oldest] = blocks
    if (from === 0 || (oldest !== undefined && oldest.firstIndex <= index)) {
      assertAdjoining(blocks)
      return blocks.filter((block) => block.firstIndex + block.entryCount > index)
    }
  }
}

const readTail = async (
  file: Readable,
  { bytes, from }: { readonly bytes: number; readonly from: number },
): Promise<string> => {
  const buffer = Buffer.alloc(bytes - from)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  return buffer.toString('utf8', 0, bytesRead)
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
