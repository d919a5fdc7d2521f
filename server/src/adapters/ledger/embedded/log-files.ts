import {
  checkpointIn,
  entriesPath,
  hashesOf,
  isTileOf,
  originOf,
  parseTilePath,
  readEntries,
  type TileAddress,
  tilePath,
  tileWidth,
  writeEntries,
} from '@millseal/proof'
import type { ReadableFiles } from '../../../ports/files/files.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { readCosigned, withCosignatures } from './cosigned-file.ts'
import { readFrozen } from './frozen-logs.ts'
import { createStampProver } from './prove-stamps.ts'
import type { TileFolder } from './tile-folder.ts'

/** Works in any process of the installation. */
export const createLogFiles = (
  folder: TileFolder,
  { hasCosigners }: { readonly hasCosigners: boolean },
): LogFiles => {
  const { files, readCheckpoint } = folder
  const readConfirmed = async (): Promise<string | undefined> => {
    const note = await readCheckpoint()
    return note === undefined ? undefined : await readCosigned(files, originOf(note))
  }
  return {
    async readCheckpoint() {
      const note = await readCheckpoint()
      return note === undefined || !hasCosigners ? note : await withCosignatures(files, note)
    },
    async readKey() {
      return (await files.read('vkey'))?.toString('utf8')
    },
    readFrozen: (number) => readFrozen(files, number),
    async readTile(path) {
      const tile = tileIn(await readCheckpoint(), path)
      return tile === undefined ? undefined : await files.read(path)
    },
    readConfirmed,
    async readConfirmedTile(path) {
      const tile = tileIn(await readConfirmed(), path)
      return tile === undefined ? undefined : ((await files.read(path)) ?? (await readPart(files, tile)))
    },
    proveStamps: createStampProver(folder),
  }
}

/** Undefined if the checkpoint does not cover the file, which may then still change. */
const tileIn = (note: string | undefined, path: string): TileAddress | undefined => {
  const tile = parseTilePath(path)
  return tile === undefined || note === undefined || !isTileOf(checkpointIn(note).size, tile)
    ? undefined
    : tile
}

/** The confirmed checkpoint may be older than the full tile that has replaced its last, unfinished one. */
const readPart = async (
  files: ReadableFiles,
  { level, index, width }: TileAddress,
): Promise<Uint8Array | undefined> => {
  const full = { index, width: tileWidth }
  const bytes = await files.read(level === 'entries' ? entriesPath(full) : tilePath({ ...full, level }))
  if (bytes === undefined) return undefined
  if (level !== 'entries') return Buffer.concat(hashesOf(bytes).slice(0, width))
  const entries = readEntries(bytes)
  return entries === undefined ? undefined : writeEntries(entries.slice(0, width))
}
