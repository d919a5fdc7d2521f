import { tileWidth } from '@millseal/proof'
import type { TileFolder } from './tile-folder.ts'

/** C2SP tlog-tiles: before each entry of a bundle. */
const lengthBytes = 2

export type EntryRange = {
  readonly from: number
  readonly to: number
  /** Of the log that the range is read from: it says how wide the last bundle is. */
  readonly size: number
}

/** Bundle by bundle, and not verified. */
export const readEntriesBetween = async (
  folder: Pick<TileFolder, 'readBundle'>,
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

/** The first index of the bundle that holds entry `index`. */
export const startOfBundle = (index: number): number => index - (index % tileWidth)

/** Where each entry begins in its bundle; `first` is the index of the first of them, and begins one. */
export const offsetsOf = (entries: readonly Uint8Array[], first: number): number[] => {
  let at = 0
  return entries.map((entry, position) => {
    if ((first + position) % tileWidth === 0) at = 0
    const offset = at + lengthBytes
    at = offset + entry.length
    return offset
  })
}
