import { crc32 } from 'node:zlib'
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
export const rowsOfPng = (bytes: Buffer): PngRows | string => {
  if (!bytes.subarray(0, 8).equals(signature)) return 'is not a PNG file'
  const header = readHeader(bytes)
  if (header === undefined) return 'has no readable PNG header'
  if (header.width > maxSide || header.height > maxSide) return `is larger than ${maxSide} pixels a side`
  const length = pngDataLength(header)
  if (length > maxRawBytes) return 'has too many pixels'
  const parts = readParts(bytes)
  if (typeof parts === 'string') return parts
  if (header.colour === 3 && !parts.hasPalette) return 'has no palette'
  const [first = new Uint8Array(), ...others] = parts.data
  return { data: others.length === 0 ? first : Buffer.concat(parts.data), length }
}

/** Why the rows could not be shown; undefined if they can. Inflates at most what the header announces. */
export const flawOfRows = ({ data, length }: PngRows): string | undefined => {
  // One buffer for all that is expected: joining many takes as long as inflating.
  const chunkSize = Math.min(Math.max(length + 1, 64), maxChunk)
  try {
    const rows = decompress(data, { maxOutputLength: length + 1, chunkSize })
    return rows.length < length ? 'ends before its last pixel' : undefined
  } catch {
    return 'does not decompress'
  }
}

const readHeader = (bytes: Buffer): PngHeader | undefined => {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const header = readPngHeader(bytes)
  const isKnown = pngChannels[header.colour] !== undefined && [1, 2, 4, 8, 16].includes(header.depth)
  return isKnown && header.width > 0 && header.height > 0 ? header : undefined
}

const readParts = (bytes: Buffer): { data: Uint8Array[]; hasPalette: boolean } | string => {
  const data: Uint8Array[] = []
  let hasPalette = false
  for (const { kind, content, checked, checksum } of pngChunks(bytes)) {
    if (crc32(checked) !== checksum) return 'is damaged'
    if (kind === 'PLTE') hasPalette = true
    if (kind === 'IDAT') data.push(content)
    if (kind === 'IEND') return { data, hasPalette }
  }
  return 'is cut off'
}
