import type { Font } from './font.ts'
import { clearHints, partsAt, writeOutlines } from './outlines.ts'
import { bytesOf, part, tableOf, viewOf, writeTables } from './sfnt.ts'

/**
 * A font file with these glyphs, numbered by their place in the list; a glyph may be there twice. It has what a PDF
 * needs of an embedded font (ISO 32000-1, 9.9): outlines and widths, but no names, characters or hints.
 */
export const subsetOf = (font: Font, glyphs: readonly number[]): Uint8Array => {
  const { tables } = font
  const all = [...glyphs]
  const places = new Map(glyphs.map((glyph, place) => [glyph, place]))
  const placeOf = (glyph: number): number => {
    const place = places.get(glyph) ?? all.length
    if (place === all.length) {
      all.push(glyph)
      places.set(glyph, place)
    }
    return place
  }
  const simpleOutlines = simpleOf(font)
  const outlineOf = outlineReader(font)
  const outlines: Uint8Array[] = []
  // Parts of composite glyphs are appended while this goes on.
  for (const glyph of all) {
    const known = simpleOutlines.get(glyph)
    const outline = known ?? rewriteOutline(outlineOf(glyph), placeOf)
    if (known === undefined && !isComposite(outline)) simpleOutlines.set(glyph, outline)
    outlines.push(outline)
  }
  const { glyf, loca } = writeOutlines(outlines)
  const head = copy(tableOf(tables, 'head'))
  viewOf(head).setUint32(8, 0)
  viewOf(head).setInt16(50, 1)
  const hhea = copy(tableOf(tables, 'hhea'))
  viewOf(hhea).setUint16(34, all.length)
  const maxp = copy(tableOf(tables, 'maxp'))
  viewOf(maxp).setUint16(4, all.length)
  return writeTables(new Map(Object.entries({ glyf, head, hhea, hmtx: metricsOf(font, all), loca, maxp })))
}

/** Outlines without hints. They do not depend on the other glyphs, so that they are made once. */
const simple = new WeakMap<Font, Map<number, Uint8Array>>()

const simpleOf = (font: Font): Map<number, Uint8Array> => {
  const known = simple.get(font) ?? new Map<number, Uint8Array>()
  simple.set(font, known)
  return known
}

/** A composite glyph has a negative number of contours. */
const isComposite = ([first = 0]: Uint8Array): boolean => first > 127

const copy = (view: DataView): Uint8Array => bytesOf(view).slice()

const metricsOf = ({ tables }: Font, glyphs: readonly number[]): Uint8Array => {
  const hmtx = tableOf(tables, 'hmtx')
  const longMetrics = tableOf(tables, 'hhea').getUint16(34)
  const metrics = new DataView(new ArrayBuffer(4 * glyphs.length))
  for (let place = 0; place < glyphs.length; place += 1) {
    const glyph = glyphs[place] ?? 0
    const isLong = glyph < longMetrics
    metrics.setUint16(4 * place, hmtx.getUint16(4 * Math.min(glyph, longMetrics - 1)))
    const bearing = isLong ? 4 * glyph + 2 : 4 * longMetrics + 2 * (glyph - longMetrics)
    metrics.setInt16(4 * place + 2, bearing + 2 <= hmtx.byteLength ? hmtx.getInt16(bearing) : 0)
  }
  return bytesOf(metrics)
}

const outlineReader = ({ tables }: Font): ((glyph: number) => DataView) => {
  const [glyf, loca] = [tableOf(tables, 'glyf'), tableOf(tables, 'loca')]
  const isLong = tableOf(tables, 'head').getInt16(50) === 1
  const startOf = (glyph: number): number =>
    isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph)
  return (glyph) => part(glyf, startOf(glyph), startOf(glyph + 1) - startOf(glyph))
}

const rewriteOutline = (outline: DataView, placeOf: (glyph: number) => number): Uint8Array => {
  if (outline.byteLength === 0) return new Uint8Array()
  const contours = outline.getInt16(0)
  return contours < 0 ? rewriteComposite(outline, placeOf) : withoutHints(outline, contours)
}

/** A simple outline: the ends of its contours, hints, and points. */
const withoutHints = (outline: DataView, contours: number): Uint8Array => {
  const hintsAt = 10 + 2 * contours
  const hints = outline.getUint16(hintsAt)
  const points = bytesOf(outline).subarray(hintsAt + 2 + hints)
  const rewritten = new Uint8Array(hintsAt + 2 + points.length)
  rewritten.set(bytesOf(outline).subarray(0, hintsAt))
  rewritten.set(points, hintsAt + 2)
  return rewritten
}

/** Without hints, and with the places of its parts. */
const rewriteComposite = (outline: DataView, placeOf: (glyph: number) => number): Uint8Array => {
  const rewritten = copy(outline)
  const view = viewOf(rewritten)
  let end = 10
  for (const one of partsAt(view, end)) {
    clearHints(view, one)
    view.setUint16(one.at + 2, placeOf(view.getUint16(one.at + 2)))
    end = one.at + one.length
  }
  return rewritten.subarray(0, end)
}
