import { crc32 } from 'node:zlib'
import { because, type Reason } from '@millseal/contract/reasons'
// Not the whole writer, which only the threads load.
import { pngChannels, pngChunks, pngDataLength, type PngHeader, readPngHeader } from '@millseal/pdf/png'
import { decompress } from './zlib.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxSide = 8_192
const maxRawBytes = 32 * 1024 * 1024
const maxChunk = 1024 * 1024

/** The compressed rows of a PNG, and how long they must be. */
export type PngRows = { readonly data: Uint8Array; readonly length: number }

/** The rows of a PNG whose header and checksums are right, or why viewers could not show it. */
export const rowsOfPng = (bytes: Buffer): PngRows | Reason => {
  if (!bytes.subarray(0, 8).equals(signature)) return because('picture_not_png')
  const header = readHeader(bytes)
  if (header === undefined) return because('picture_without_header')
  if (header.width > maxSide || header.height > maxSide) return because('picture_too_wide', { most: maxSide })
  const length = pngDataLength(header)
  if (length > maxRawBytes) return because('picture_has_too_many_pixels')
  const parts = readParts(bytes)
  if ('code' in parts) return parts
  if (header.colour === 3 && !parts.hasPalette) return because('picture_without_palette')
  const [first = new Uint8Array(), ...others] = parts.data
  return { data: others.length === 0 ? first : Buffer.concat(parts.data), length }
}

/** Why the rows could not be shown; undefined if they can. Inflates at most what the header announces. */
export const flawOfRows = ({ data, length }: PngRows): Reason | undefined => {
  // One buffer for all that is expected: joining many takes as long as inflating.
  const chunkSize = Math.min(Math.max(length + 1, 64), maxChunk)
  try {
    const rows = decompress(data, { maxOutputLength: length + 1, chunkSize })
    return rows.length < length ? because('picture_without_last_pixel') : undefined
  } catch {
    return because('picture_not_inflated')
  }
}

const readHeader = (bytes: Buffer): PngHeader | undefined => {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const header = readPngHeader(bytes)
  const isKnown = pngChannels[header.colour] !== undefined && [1, 2, 4, 8, 16].includes(header.depth)
  return isKnown && header.width > 0 && header.height > 0 ? header : undefined
}

const readParts = (bytes: Buffer): { data: Uint8Array[]; hasPalette: boolean } | Reason => {
  const data: Uint8Array[] = []
  let hasPalette = false
  for (const { kind, content, checked, checksum } of pngChunks(bytes)) {
    if (crc32(checked) !== checksum) return because('picture_damaged')
    if (kind === 'PLTE') hasPalette = true
    if (kind === 'IDAT') data.push(content)
    if (kind === 'IEND') return { data, hasPalette }
  }
  return because('picture_cut_off')
}
