import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesPath, parseCheckpoint, tilePath, tileWidth, writeEntries } from '@millseal/proof'
import { type Block, streamBlocks, writeBlock } from './block-journal.ts'
import { LedgerDamaged } from './damaged.ts'
import { isMissing, type NewFile, replaceDurably, writeDurably } from './durable-files.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

/** Files that are written and flushed together. */
const batchFiles = 64

/**
 * The log as far as one checkpoint goes, also while it grows. The copy has its checkpoint last. Resolves with its size;
 * undefined where no log was started.
 */
export const copyLog = async (from: string, to: string): Promise<number | undefined> => {
  const folder = openTileFolder(from)
  const note = folder.readCheckpoint()
  if (note === undefined) return undefined
  const { size } = parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))
  await mkdir(to, { recursive: true })
  let batch: NewFile[] = []
  for await (const file of filesOf(folder, size)) {
    batch.push(file)
    if (batch.length < batchFiles) continue
    await writeDurably(to, batch)
    batch = []
  }
  const blocks = await blocksUpTo(from, size)
  await writeDurably(to, [...batch, { path: 'blocks', bytes: Buffer.from(blocks.map(writeBlock).join('')) }])
  await copyFile(join(from, 'vkey'), join(to, 'vkey')).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    throw new LedgerDamaged('The key of the log is missing', { cause: error })
  })
  await replaceDurably(join(to, 'checkpoint'), Buffer.from(note))
  return size
}

const filesOf = async function* (folder: TileFolder, size: number): AsyncGenerator<NewFile> {
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    for (let index = 0; index * tileWidth < count; index += 1) {
      const place = { level, index, width: Math.min(tileWidth, count - index * tileWidth) }
      yield { path: tilePath(place), bytes: Buffer.concat(await folder.readTile(place)) }
      if (level === 0) yield { path: entriesPath(place), bytes: writeEntries(await folder.readBundle(place)) }
    }
  }
}

/** What lies beyond may still be in the middle of being written. */
const blocksUpTo = async (from: string, size: number): Promise<Block[]> => {
  const blocks: Block[] = []
  if (size === 0) return blocks
  for await (const block of streamBlocks(from)) {
    blocks.push(block)
    if (block.firstIndex + block.count >= size) return blocks
  }
  throw new LedgerDamaged('The file blocks ends before the checkpoint')
}
