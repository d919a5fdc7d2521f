import { type Glyphs, readCharacterMap } from './character-map.ts'
import { readTables, tableOf, type Tables } from './sfnt.ts'

/** A TrueType font. Widths and heights are in thousandths of the font size. */
export type Font = {
  /** The PostScript name. */
  readonly name: string
  readonly file: Uint8Array
  readonly unitsPerEm: number
  readonly tables: Tables
  /** By code point; 0 if the font lacks the character. */
  readonly glyphs: Glyphs
  /** Of a glyph. */
  readonly advance: (glyph: number) => number
  readonly box: readonly [number, number, number, number]
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
}

export const readFont = (file: Uint8Array): Font => {
  const tables = readTables(file)
  const [head, hhea, hmtx] = ['head', 'hhea', 'hmtx'].map((tag) => tableOf(tables, tag)) as [
    DataView,
    DataView,
    DataView,
  ]
  const unitsPerEm = head.getUint16(18)
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw new TypeError(`The font has ${unitsPerEm} units per em`)
  const scale = 1_000 / unitsPerEm
  const longMetrics = hhea.getUint16(34)
  const ascent = hhea.getInt16(4) * scale
  return {
    name: nameOf(tables),
    file,
    unitsPerEm,
    tables,
    glyphs: readCharacterMap(tableOf(tables, 'cmap')),
    advance: (glyph) => hmtx.getUint16(4 * Math.min(glyph, longMetrics - 1)) * scale,
    box: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)].map((side) =>
      Math.round(side * scale),
    ) as [number, number, number, number],
    ascent,
    descent: hhea.getInt16(6) * scale,
    capHeight: capHeightOf(tables, scale) ?? ascent,
  }
}

const capHeightOf = (tables: Tables, scale: number): number | undefined => {
  const os2 = tables.get('OS/2')
  return os2 === undefined || os2.getUint16(0) < 2 ? undefined : os2.getInt16(88) * scale
}

const postScriptName = 6

const nameOf = (tables: Tables): string => {
  const table = tables.get('name')
  if (table === undefined) return 'Font'
  const strings = table.getUint16(4)
  for (let index = 0; index < table.getUint16(2); index += 1) {
    const record = 6 + 12 * index
    if (table.getUint16(record + 6) !== postScriptName) continue
    const [length, start] = [table.getUint16(record + 8), strings + table.getUint16(record + 10)]
    let name = ''
    for (let at = start; at < start + length; at += 1) name += String.fromCodePoint(table.getUint8(at))
    return name.replaceAll(/[^\w-]/gu, '')
  }
  return 'Font'
}
