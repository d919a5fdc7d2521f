import { tileWidth } from '@millseal/proof'
import type { TileFolder } from './tile-folder.ts'

/** C2SP tlog-tiles: the length before each entry of a bundle. */
const lengthBytes = 2

export type EntryRange = {
  readonly from: number
  readonly to: number
  /** The size of the log, which determines the width of the last bundle. */
  readonly size: number
}

/** Reads entries bundle by bundle, without verifying them. */
export const readEntriesBetween = async (
  folder: TileFolder,
  { from, to, size }: EntryRange,
): Promise<Uint8Array[]> => {
  const entries: Uint8Array[] = []
  for (let index = Math.floor(from / tileWidth); index * tileWidth < to; index += 1) {
    const first = index * tileWidth
    const bundle = await folder.readBundle({ index, width: Math.min(tileWidth, size - first) })
    entries.push(...bundle.slice(Math.max(0, from - first), to - first))
  }
  return entries
}

/** The first index of the bundle that contains entry `index`. */
export const startOfBundle = (index: number): number => index - (index % tileWidth)

/** The offset of each entry in its bundle. `first`, the index of the first entry, must be the start of a bundle. */
export const offsetsOf = (entries: readonly Uint8Array[], first: number): number[] => {
  let at = 0
  return entries.map((entry, position) => {
    if ((first + position) % tileWidth === 0) at = 0
    const offset = at + lengthBytes
    at = offset + entry.length
    return offset
  })
}
