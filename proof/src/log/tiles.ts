/** C2SP tlog-tiles: a tile contains up to 256 adjacent hashes of every eighth level of the tree. */
export const tileWidth = 256
export const tileHeight = 8

/** C2SP tlog-tiles: the length of an entry has two bytes. */
const maxEntryBytes = 65_535

export type TilePlace = {
  /** Tile level 1 contains the hashes of full tiles of level 0. */
  readonly level: number
  readonly index: number
  /** The number of hashes (or entries): 1 to 256. */
  readonly width: number
}

/** For example `tile/1/x001/234.p/17`. */
export const tilePath = ({ level, index, width }: TilePlace): string =>
  `tile/${level}/${numberPath(index)}${suffixOf(width)}`

export const entriesPath = ({ index, width }: Omit<TilePlace, 'level'>): string =>
  `tile/entries/${numberPath(index)}${suffixOf(width)}`

const suffixOf = (width: number): string => (width === tileWidth ? '' : `.p/${width}`)

const numberPath = (index: number): string => {
  const groups: string[] = []
  let rest = index
  do {
    const group = String(rest % 1_000).padStart(3, '0')
    groups.unshift(groups.length === 0 ? group : `x${group}`)
    rest = Math.floor(rest / 1_000)
  } while (rest > 0)
  return groups.join('/')
}

export type TileAddress = Omit<TilePlace, 'level'> & { readonly level: number | 'entries' }

/** Undefined if the path is not canonical, so that each tile has one address. */
export const parseTilePath = (path: string): TileAddress | undefined => {
  const [, level = '', number = '', width] = tilePattern.exec(path) ?? []
  if (level === '') return undefined
  const index = Number(number.replaceAll(/[x/]/g, ''))
  return {
    level: level === 'entries' ? level : Number(level),
    index,
    width: width === undefined ? tileWidth : Number(width),
  }
}

const tilePattern =
  /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x(?!000)\d{3}\/(?:x\d{3}\/){0,3})?\d{3})(?:\.p\/([1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?$/

/** Whether a tree of `size` leaves contains the tile, which then never changes. */
export const isTileOf = (size: number, { level, index, width }: TileAddress): boolean =>
  index * tileWidth + width <= hashesAtLevel(size, level === 'entries' ? 0 : level)

/** The number of hashes of this tile level in a tree of `size` leaves. */
export const hashesAtLevel = (size: number, level: number): number => Math.floor(size / tileWidth ** level)

/** The tile with the hash `index` of a level, in a tree of `size` leaves. */
export const tileOfHash = ({
  level,
  index,
  size,
}: {
  readonly level: number
  readonly index: number
  readonly size: number
}): TilePlace => {
  const tile = Math.floor(index / tileWidth)
  return { level, index: tile, width: Math.min(tileWidth, hashesAtLevel(size, level) - tile * tileWidth) }
}

/** Writes an entry bundle: entries with their lengths. */
export const writeEntries = (entries: readonly Uint8Array[]): Uint8Array => {
  const bundle = new Uint8Array(entries.reduce((length, entry) => length + 2 + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > maxEntryBytes)
      throw new RangeError(`The entry is too large (maximum ${maxEntryBytes} bytes)`)
    bundle[at] = entry.length >> 8
    bundle[at + 1] = entry.length & 0xff
    bundle.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bundle
}

/** Undefined if the lengths do not add up. The entries are views of the bundle. */
export const readEntries = (bundle: Uint8Array): Uint8Array[] | undefined => {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bundle.length) {
    const length = (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0)
    const end = at + 2 + length
    if (end > bundle.length) return undefined
    entries.push(bundle.subarray(at + 2, end))
    at = end
  }
  return entries
}
