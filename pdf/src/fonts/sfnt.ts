/** The tables of a TrueType font file, by tag. */
export type Tables = ReadonlyMap<string, DataView>

export const readTables = (file: Uint8Array): Tables => {
  const view = viewOf(file)
  const tables = new Map<string, DataView>()
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + 16 * index
    const [start, length] = [view.getUint32(record + 8), view.getUint32(record + 12)]
    tables.set(tagAt(view, record), part(view, start, length))
  }
  return tables
}

export const tableOf = (tables: Tables, tag: string): DataView => {
  const table = tables.get(tag)
  if (table === undefined) throw new TypeError(`The font has no table ${tag}`)
  return table
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

export const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Throws if the part is not inside the view: the buffer can be larger. */
export const part = (view: DataView, start: number, length: number): DataView => {
  if (start + length > view.byteLength) throw new RangeError('The font ends too early')
  return new DataView(view.buffer, view.byteOffset + start, length)
}

const tagAt = (view: DataView, at: number): string =>
  String.fromCodePoint(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/** A font file of these tables, in the order of their tags. */
export const writeTables = (tables: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const start = 12 + 16 * sorted.length
  const length = sorted.reduce((sum, [, bytes]) => sum + padded(bytes.length), start)
  const file = new Uint8Array(length)
  const view = viewOf(file)
  view.setUint32(0, 0x1_00_00)
  view.setUint16(4, sorted.length)
  let at = start
  for (const [index, [tag, bytes]] of sorted.entries()) {
    const record = 12 + 16 * index
    file.set(new TextEncoder().encode(tag), record)
    file.set(bytes, at)
    view.setUint32(record + 4, checksum(part(view, at, padded(bytes.length))))
    view.setUint32(record + 8, at)
    view.setUint32(record + 12, bytes.length)
    at += padded(bytes.length)
  }
  return file
}

const padded = (length: number): number => (length + 3) & ~3

const checksum = (view: DataView): number => {
  let sum = 0
  for (let at = 0; at < view.byteLength; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}
