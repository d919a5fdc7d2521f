import { entriesPath, checkpointIn, tilePath, tileWidth, writeEntries } from '@millseal/proof'
import type { Files, NewFile } from '../../../ports/files/files.ts'
import { type Block, journalName, streamBlocks, writeBlock } from './block-journal.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { frozenFiles, listFrozen } from './frozen-logs.ts'
import { copiedStamps } from './stamp-files.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

/** The number of tiles that are written and flushed together. */
const batchFiles = 64

/** The files of a log up to one checkpoint, which comes last, even while the log grows. */
export type ReadLog = { readonly size: number; readonly files: AsyncIterable<NewFile> }

/** Undefined if the log was never started. */
export const readLog = async (from: Files): Promise<ReadLog | undefined> => {
  const note = await openTileFolder(from).readCheckpoint()
  if (note === undefined) return undefined
  const { size } = checkpointIn(note)
  return { size, files: filesOf(from, { size, note }) }
}

/**
 * Copies the log up to one checkpoint, which is copied last, so that an interrupted copy can be repeated. Resolves with the
 * number of entries, or undefined if the log was never started.
 */
export const copyLog = async (from: Files, to: Files): Promise<number | undefined> => {
  const log = await readLog(from)
  if (log === undefined) return undefined
  let batch: NewFile[] = []
  for await (const file of log.files) {
    const isTile = file.name.startsWith('tile/')
    if (isTile) batch.push(file)
    if (isTile && batch.length < batchFiles) continue
    await to.put(batch)
    batch = []
    if (!isTile) await overwrite(to, file)
  }
  return log.size
}

/** An earlier copy may have left a shorter journal, or an earlier checkpoint. */
const overwrite = async (to: Files, { name, bytes }: NewFile): Promise<void> => {
  if (name !== journalName) return await to.replace({ name, expected: await to.read(name), bytes })
  await to.remove([name])
  await to.put([{ name, bytes }])
}

const filesOf = async function* (
  from: Files,
  { size, note }: { readonly size: number; readonly note: string },
): AsyncGenerator<NewFile> {
  yield* tilesOf(openTileFolder(from), size)
  const blocks = await blocksUpTo(from, size)
  yield { name: journalName, bytes: Buffer.from(blocks.map(writeBlock).join('')) }
  const key = await from.read('vkey')
  if (key === undefined) throw new LedgerDamaged('The key of the log is missing')
  yield { name: 'vkey', bytes: key }
  for (const number of await listFrozen(from)) yield* frozenFiles(from, number)
  yield* copiedStamps(from, size)
  yield { name: 'checkpoint', bytes: Buffer.from(note) }
}

const tilesOf = async function* (folder: TileFolder, size: number): AsyncGenerator<NewFile> {
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
