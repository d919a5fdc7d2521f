import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesPath, checkpointIn, tilePath, tileWidth, writeEntries } from '@millseal/proof'
import { type Block, streamBlocks, writeBlock } from './block-journal.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { isMissing, type NewFile, replaceDurably, writeDurably } from './durable-files.ts'
import { listFrozen, readFrozen, writeFrozen } from './frozen-logs.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

/** The number of files that are written and flushed together. */
const batchFiles = 64

/**
 * Copies the log up to one checkpoint, even while it grows. The checkpoint is copied last. Resolves with the number of
 * entries, or undefined if the log was never started.
 */
export const copyLog = async (from: string, to: string): Promise<number | undefined> => {
  const folder = openTileFolder(from)
  const note = folder.readCheckpoint()
  if (note === undefined) return undefined
  const { size } = checkpointIn(note)
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
  for (const number of await listFrozen(from)) {
    const frozen = await readFrozen(from, number)
    if (frozen !== undefined) await writeFrozen(to, number, frozen)
  }
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

/** Later blocks may not be completely written yet. */
const blocksUpTo = async (from: string, size: number): Promise<Block[]> => {
  const blocks: Block[] = []
  if (size === 0) return blocks
  for await (const block of streamBlocks(from)) {
    blocks.push(block)
    if (block.firstIndex + block.entryCount >= size) return blocks
  }
  throw new LedgerDamaged('The file "blocks" ends before the checkpoint')
}
