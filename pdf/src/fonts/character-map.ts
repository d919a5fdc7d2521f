/** Glyph numbers by code point, up to the last one that the font has; 0 if it lacks the character. */
export type Glyphs = Uint16Array
/** The planes with letters. */
const codePoints = 0x3_0000

/** Reads format 12 of the OpenType table cmap, or format 4, which covers less, if there is no format 12. */
export const readCharacterMap = (table: DataView): Glyphs => {
  const subTables = Array.from({ length: table.getUint16(2) }, (_, index) => table.getUint32(8 + 8 * index))
  const withFormat = (format: number) => subTables.find((at) => table.getUint16(at) === format)
  const groups = withFormat(12)
  if (groups !== undefined) return shortened(readGroups(table, groups))
  const segments = withFormat(4)
  if (segments !== undefined) return shortened(readSegments(table, segments))
  throw new TypeError('The font has no character map of format 4 or 12')
}

const shortened = (glyphs: Glyphs): Glyphs => {
  let end = glyphs.length
  while (end > 0 && glyphs[end - 1] === 0) end -= 1
  return glyphs.slice(0, end)
}

const readGroups = (table: DataView, start: number): Glyphs => {
  const groups = table.getUint32(start + 12)
  let end = 0
  for (let group = 0; group < groups; group += 1)
    end = Math.max(end, table.getUint32(start + 20 + 12 * group) + 1)
  const glyphs = new Uint16Array(Math.min(end, codePoints))
  for (let group = 0; group < groups; group += 1) {
    const record = start + 16 + 12 * group
    const first = table.getUint32(record)
    const last = Math.min(table.getUint32(record + 4), codePoints - 1)
    const glyph = table.getUint32(record + 8)
    for (let codePoint = first; codePoint <= last; codePoint += 1) {
      glyphs[codePoint] = glyph + codePoint - first
    }
  }
  return glyphs
}

const readSegments = (table: DataView, start: number): Glyphs => {
  const glyphs = new Uint16Array(0x1_00_00)
  const bytes = table.getUint16(start + 6)
  for (let segment = 0; segment < bytes; segment += 2) {
    const last = table.getUint16(start + 14 + segment)
    const first = table.getUint16(start + 16 + bytes + segment)
    const delta = table.getUint16(start + 16 + 2 * bytes + segment)
    const rangeAt = start + 16 + 3 * bytes + segment
    const range = table.getUint16(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xff_ff; codePoint += 1) {
      const listed = range === 0 ? codePoint : table.getUint16(rangeAt + range + 2 * (codePoint - first))
      glyphs[codePoint] = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xff_ff
    }
  }
  return glyphs
}
