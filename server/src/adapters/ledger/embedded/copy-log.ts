import { entriesPath, checkpointIn, tilePath, tileWidth, writeEntries } from '@millseal/proof'
import type { Files, NewFile } from '../../../ports/files/files.ts'
import { type Block, journalName, streamBlocks, writeBlock } from './block-journal.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { listFrozen, readFrozen, writeFrozen, writeText } from './frozen-logs.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

/** The number of files that are written and flushed together. */
const batchFiles = 64

/**
 * Copies the log up to one checkpoint, even while it grows. The checkpoint is copied last, so that an interrupted copy can
 * be repeated. Resolves with the number of entries, or undefined if the log was never started.
 */
export const copyLog = async (from: Files, to: Files): Promise<number | undefined> => {
  const folder = openTileFolder(from)
  const note = await folder.readCheckpoint()
  if (note === undefined) return undefined
  const { size } = checkpointIn(note)
  let batch: NewFile[] = []
  for await (const file of filesOf(folder, size)) {
    batch.push(file)
    if (batch.length < batchFiles) continue
    await to.put(batch)
    batch = []
  }
  await to.put(batch)
  const blocks = await blocksUpTo(from, size)
  await to.remove([journalName])
  await to.put([{ name: journalName, bytes: Buffer.from(blocks.map(writeBlock).join('')) }])
  const key = await from.read('vkey')
  if (key === undefined) throw new LedgerDamaged('The key of the log is missing')
  await writeText(to, 'vkey', key.toString('utf8'))
  for (const number of await listFrozen(from)) {
    const frozen = await readFrozen(from, number)
    if (frozen !== undefined) await writeFrozen(to, number, frozen)
  }
  await writeText(to, 'checkpoint', note)
  return size
}

const filesOf = async function* (folder: TileFolder, size: number): AsyncGenerator<NewFile> {
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    for (let index = 0; index * tileWidth < count; index += 1) {
      const place = { level, index, width: Math.min(tileWidth, count - index * tileWidth) }
      yield { name: tilePath(place), bytes: Buffer.concat(await folder.readTile(place)) }
      if (level === 0) yield { name: entriesPath(place), bytes: writeEntries(await folder.readBundle(place)) }
    }
  }
}

/** Later blocks may not be completely written yet. */
const blocksUpTo = async (from: Files, size: number): Promise<Block[]> => {
  const blocks: Block[] = []
  if (size === 0) return blocks
  for await (const block of streamBlocks(from)) {
    blocks.push(block)
    if (block.firstIndex + block.entryCount >= size) return blocks
  }
  throw new LedgerDamaged('The file "blocks" ends before the checkpoint')
}
