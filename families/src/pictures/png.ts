import { crc32 } from 'node:zlib'
// Not the whole writer, which only the threads load.
import { pngChannels, pngPasses } from '@millseal/pdf/png'
import { decompress } from './zlib.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxSide = 8_192
const maxRawBytes = 32 * 1024 * 1024
const maxChunk = 1024 * 1024

type Header = { width: number; height: number; depth: number; color: number; interlaced: boolean }

/** The compressed rows of a PNG, and how long they must be. */
export type PngRows = { readonly data: Buffer; readonly length: number }

/** The rows of a PNG whose header and checksums are right, or why viewers could not show it. */
export const rowsOfPng = (bytes: Buffer): PngRows | string => {
  if (!bytes.subarray(0, 8).equals(signature)) return 'is not a PNG file'
  const header = readHeader(bytes)
  if (header === undefined) return 'has no readable PNG header'
  if (header.width > maxSide || header.height > maxSide) return `is larger than ${maxSide} pixels a side`
  const length = rawBytes(header)
  if (length > maxRawBytes) return 'has too many pixels'
  const parts = readParts(bytes)
  if (typeof parts === 'string') return parts
  if (header.color === 3 && !parts.hasPalette) return 'has no palette'
  const [first = Buffer.alloc(0), ...others] = parts.data
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

const readHeader = (bytes: Buffer): Header | undefined => {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, color] = [bytes.readUInt8(24), bytes.readUInt8(25)]
  const known = pngChannels[color] !== undefined && [1, 2, 4, 8, 16].includes(depth)
  if (width === 0 || height === 0 || !known) return undefined
  return { width, height, depth, color, interlaced: bytes.readUInt8(28) === 1 }
}

/** PNG §7.2, §8: each line of each pass is a filter byte and its pixels, padded to a byte. */
const rawBytes = ({ width, height, depth, color, interlaced }: Header): number => {
  const bits = (pngChannels[color] ?? 0) * depth
  const plane = (columns: number, rows: number): number =>
    columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bits) / 8)) : 0
  if (!interlaced) return plane(width, height)
  return pngPasses.reduce(
    (sum, [x, y, stepX, stepY]) =>
      sum + plane(Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)),
    0,
  )
}

const readParts = (bytes: Buffer): { data: Buffer[]; hasPalette: boolean } | string => {
  const data: Buffer[] = []
  let hasPalette = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) return 'is cut off'
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return 'is damaged'
    const kind = bytes.toString('latin1', at + 4, at + 8)
    if (kind === 'PLTE') hasPalette = true
    if (kind === 'IDAT') data.push(bytes.subarray(at + 8, end))
    if (kind === 'IEND') return { data, hasPalette }
    at = end + 4
  }
  return 'is cut off'
}
