/** The code points that a TrueType font covers and their widths. */
export type FontMetrics = {
  readonly covers: (codePoint: number) => boolean
  /** In thousandths of the font size. */
  readonly advance: (codePoint: number) => number
}

type Tables = (tag: string) => number

export const readFontMetrics = (file: Buffer): FontMetrics => {
  const table = tablesOf(file)
  const glyphs = readCharacterMap(file, table('cmap'))
  const unitsPerEm = file.readUInt16BE(table('head') + 18)
  const longMetrics = file.readUInt16BE(table('hhea') + 34)
  const horizontal = table('hmtx')
  const advances = new Uint16Array(longMetrics)
  for (let glyph = 0; glyph < longMetrics; glyph += 1) {
    advances[glyph] = Math.round((file.readUInt16BE(horizontal + 4 * glyph) * 1_000) / unitsPerEm)
  }
  return {
    covers: (codePoint) => (glyphs[codePoint] ?? 0) !== 0,
    advance: (codePoint) => advances[Math.min(glyphs[codePoint] ?? 0, longMetrics - 1)] ?? 0,
  }
}

const tablesOf = (file: Buffer): Tables => {
  const offsets = new Map<string, number>()
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const record = 12 + 16 * index
    offsets.set(file.toString('latin1', record, record + 4), file.readUInt32BE(record + 8))
  }
  return (tag) => {
    const offset = offsets.get(tag)
    if (offset === undefined) throw new Error(`The font has no table ${tag}`)
    return offset
  }
}

/** Glyph ids by code point, up to the last plane with letters; 0 if the font lacks the character. */
type Glyphs = Uint16Array
const codePoints = 0x3_0000

/** Reads format 12 of the OpenType table cmap, or format 4, which covers less, if there is no format 12. */
const readCharacterMap = (file: Buffer, start: number): Glyphs => {
  const subTables = Array.from(
    { length: file.readUInt16BE(start + 2) },
    (_, index) => start + file.readUInt32BE(start + 8 + 8 * index),
  )
  const withFormat = (format: number) => subTables.find((at) => file.readUInt16BE(at) === format)
  const groups = withFormat(12)
  if (groups !== undefined) return readGroups(file, groups)
  const segments = withFormat(4)
  if (segments !== undefined) return readSegments(file, segments)
  throw new Error('The font has no character map of format 4 or 12')
}

const readGroups = (file: Buffer, start: number): Glyphs => {
  const glyphs = new Uint16Array(codePoints)
  for (let group = 0; group < file.readUInt32BE(start + 12); group += 1) {
    const record = start + 16 + 12 * group
    const first = file.readUInt32BE(record)
    const last = Math.min(file.readUInt32BE(record + 4), codePoints - 1)
    const glyph = file.readUInt32BE(record + 8)
    for (let codePoint = first; codePoint <= last; codePoint += 1) {
      glyphs[codePoint] = glyph + codePoint - first
    }
  }
  return glyphs
}

const readSegments = (file: Buffer, start: number): Glyphs => {
  const glyphs = new Uint16Array(codePoints)
  const bytes = file.readUInt16BE(start + 6)
  for (let segment = 0; segment < bytes; segment += 2) {
    const last = file.readUInt16BE(start + 14 + segment)
    const first = file.readUInt16BE(start + 16 + bytes + segment)
    const delta = file.readUInt16BE(start + 16 + 2 * bytes + segment)
    const rangeAt = start + 16 + 3 * bytes + segment
    const range = file.readUInt16BE(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xff_ff; codePoint += 1) {
      const listed = range === 0 ? codePoint : file.readUInt16BE(rangeAt + range + 2 * (codePoint - first))
      glyphs[codePoint] = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xff_ff
    }
  }
  return glyphs
}
