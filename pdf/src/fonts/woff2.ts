import { bytesOf, part, viewOf, writeTables } from './sfnt.ts'
import { rebuildOutlines } from './woff2-outlines.ts'

/** Decompresses Brotli. */
export type Unbrotli = (bytes: Uint8Array) => Uint8Array

/** The tags that a WOFF2 file numbers (WOFF2, 4.1). */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'.match(
    /.{4}(?: |$)/gu,
  )
const tags = (knownTags ?? []).map((tag) => tag.slice(0, 4))

type Entry = { readonly tag: string; readonly isTransformed: boolean; readonly length: number }

const headerLength = 48

/** The TrueType file in a WOFF2 file (https://www.w3.org/TR/WOFF2). */
export const readWoff2 = (file: Uint8Array, unbrotli: Unbrotli): Uint8Array => {
  const view = viewOf(file)
  if (view.getUint32(0) !== 0x77_4f_46_32) throw new TypeError('The file is not a WOFF2 font')
  const { entries, end } = readDirectory(view)
  const compressed = file.subarray(end, end + view.getUint32(20))
  const content = viewOf(unbrotli(compressed))
  const tables = new Map<string, Uint8Array>()
  let at = 0
  for (const { tag, length } of entries) {
    tables.set(tag, bytesOf(part(content, at, length)))
    at += length
  }
  const isTransformed = (tag: string) => entries.some((entry) => entry.tag === tag && entry.isTransformed)
  if (isTransformed('hmtx')) throw new TypeError('The font has transformed metrics, which are not read')
  const outlines = tables.get('glyf')
  if (outlines !== undefined && isTransformed('glyf')) {
    const { glyf, loca } = rebuildOutlines(viewOf(outlines))
    tables.set('glyf', glyf)
    tables.set('loca', loca)
    const head = (tables.get('head') ?? new Uint8Array(54)).slice()
    viewOf(head).setInt16(50, 1)
    tables.set('head', head)
  }
  return writeTables(tables)
}

const readDirectory = (view: DataView): { readonly entries: readonly Entry[]; readonly end: number } => {
  const place = { at: headerLength }
  const entries: Entry[] = []
  for (let index = 0; index < view.getUint16(12); index += 1) {
    const flags = view.getUint8(place.at)
    place.at += 1
    const known = flags & 0x3f
    const tag = known === 0x3f ? tagAt(view, place) : (tags[known] ?? '')
    const original = readBase128(view, place)
    // For outlines 0 is the transformation and 3 is none; for the others it is the other way round.
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
    const length = isTransformed ? readBase128(view, place) : original
    entries.push({ tag, isTransformed, length })
  }
  return { entries, end: place.at }
}

type Position = { at: number }

const tagAt = (view: DataView, place: Position): string => {
  place.at += 4
  return String.fromCodePoint(...bytesOf(part(view, place.at - 4, 4)))
}

/** A number of up to five bytes, seven bits in each. */
const readBase128 = (view: DataView, place: Position): number => {
  let number = 0
  for (let count = 0; count < 5; count += 1) {
    const byte = view.getUint8(place.at)
    place.at += 1
    number = number * 128 + (byte & 0x7f)
    if (byte < 128) return number
  }
  throw new TypeError('The font has a number that is too long')
}
