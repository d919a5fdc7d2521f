import { joinBytes } from '../objects/bytes.ts'
import type { Deflate } from '../objects/object-file.ts'
import type { Image } from './image.ts'

/** Decompresses from the zlib format. Browsers have only an asynchronous one. */
export type Inflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

type Zlib = { readonly inflate: Inflate; readonly deflate: Deflate }

type Header = {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
  readonly isInterlaced: boolean
}

type Chunks = {
  readonly header: Header
  readonly data: Uint8Array
  readonly palette?: Uint8Array
  readonly transparency?: Uint8Array
}

/** Samples of each point, by the colour type of PNG: grey, RGB, index, grey and opacity, RGB and opacity. */
export const pngChannels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * A valid PNG as an image. Its compressed rows are passed on as they are, unless it is interlaced or has transparent
 * points: a PDF has the opacity in an image of its own. Such rows are compressed here, so that an image that is in many
 * files is compressed once.
 */
export const imageOfPng = async (file: Uint8Array, { inflate, deflate }: Zlib): Promise<Image> => {
  const chunks = readChunks(file)
  const { header, data, palette, transparency } = chunks
  const { width, height, depth, colour, isInterlaced } = header
  const colours = colour === 3 ? { palette: palette ?? new Uint8Array(3) } : colour % 4 === 0 ? 'grey' : 'rgb'
  if (!isInterlaced && colour < 4 && transparency === undefined)
    return { width, height, depth, colours, content: { kind: 'png', bytes: data } }
  const rows = samplesOf(await inflate(data), header)
  const { bytes, opacity } =
    colour >= 4
      ? splitOpacity(rows, header)
      : { bytes: rows, opacity: transparency && keyedOpacity(rows, header, transparency) }
  return {
    width,
    height,
    depth,
    colours,
    content: { kind: 'deflated', bytes: await deflate(bytes) },
    ...(opacity && { opacity: { bytes: await deflate(opacity), depth: colour >= 4 ? depth : 8 } }),
  }
}

const readChunks = (file: Uint8Array): Chunks => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const header = {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth: view.getUint8(24),
    colour: view.getUint8(25),
    isInterlaced: view.getUint8(28) === 1,
  }
  const data: Uint8Array[] = []
  const found: { palette?: Uint8Array; transparency?: Uint8Array } = {}
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at)
    const content = file.subarray(at + 8, at + 8 + length)
    const kind = String.fromCodePoint(...file.subarray(at + 4, at + 8))
    if (kind === 'IDAT') data.push(content)
    if (kind === 'PLTE') found.palette = content.subarray(0, content.length - (content.length % 3))
    if (kind === 'tRNS') found.transparency = content
    at += 12 + length
  }
  return { header, data: joinBytes(data), ...found }
}

const rowLength = (width: number, bits: number): number => Math.ceil((width * bits) / 8)

/** Where the points of each pass of an interlaced picture begin, and how far apart they are (PNG, 8.2). */
export const pngPasses: readonly (readonly [x: number, y: number, stepX: number, stepY: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

/** The samples of all rows, without filters and passes. */
const samplesOf = (
  filtered: Uint8Array,
  { width, height, depth, colour, isInterlaced }: Header,
): Uint8Array => {
  const bits = (pngChannels[colour] ?? 1) * depth
  if (!isInterlaced) return unfilter(filtered, { rows: height, length: rowLength(width, bits), bits })
  const samples = new Uint8Array(height * rowLength(width, bits))
  let at = 0
  for (const [x, y, stepX, stepY] of pngPasses) {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)]
    if (columns <= 0 || rows <= 0) continue
    const length = rowLength(columns, bits)
    const pass = unfilter(filtered.subarray(at), { rows, length, bits })
    at += rows * (length + 1)
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const from = { bytes: pass, start: row * length, index: column }
        const to = {
          bytes: samples,
          start: (y + row * stepY) * rowLength(width, bits),
          index: x + column * stepX,
        }
        copyPoint(from, to, bits)
      }
    }
  }
  return samples
}

type Point = { readonly bytes: Uint8Array; readonly start: number; readonly index: number }

const copyPoint = (from: Point, to: Point, bits: number): void => {
  if (bits >= 8) {
    const size = bits / 8
    for (let byte = 0; byte < size; byte += 1)
      to.bytes[to.start + to.index * size + byte] = from.bytes[from.start + from.index * size + byte] ?? 0
    return
  }
  const at = to.start + ((to.index * bits) >> 3)
  to.bytes[at] = (to.bytes[at] ?? 0) | (sampleAt(from, bits) << (8 - bits - ((to.index * bits) & 7)))
}

/** A sample of less than a byte. */
const sampleAt = ({ bytes, start, index }: Point, bits: number): number =>
  ((bytes[start + ((index * bits) >> 3)] ?? 0) >> (8 - bits - ((index * bits) & 7))) & ((1 << bits) - 1)

type Rows = { readonly rows: number; readonly length: number; readonly bits: number }

/** Undoes the filter of each row (PNG, 9.2). */
const unfilter = (filtered: Uint8Array, { rows, length, bits }: Rows): Uint8Array => {
  const samples = new Uint8Array(rows * length)
  const step = Math.max(1, bits >> 3)
  let above: Uint8Array = new Uint8Array(length)
  for (let row = 0; row < rows; row += 1) {
    const from = row * (length + 1)
    const own = samples.subarray(row * length, (row + 1) * length)
    own.set(filtered.subarray(from + 1, from + 1 + length))
    unfilterRow(own, { filter: filtered[from] ?? 0, above, step })
    above = own
  }
  return samples
}

type Filtered = { readonly filter: number; readonly above: Uint8Array; readonly step: number }

/** Adds to each byte what its filter predicts of those left of it and above. The loops are apart because they are hot. */
const unfilterRow = (row: Uint8Array, { filter, above, step }: Filtered): void => {
  const { length } = row
  if (filter === 1) for (let at = step; at < length; at += 1) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0)
  else if (filter === 2) for (let at = 0; at < length; at += 1) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  else if (filter === 3)
    for (let at = 0; at < length; at += 1) {
      const left = at < step ? 0 : (row[at - step] ?? 0)
      row[at] = (row[at] ?? 0) + ((left + (above[at] ?? 0)) >> 1)
    }
  else if (filter === 4)
    for (let at = 0; at < length; at += 1) {
      const left = at < step ? 0 : (row[at - step] ?? 0)
      const corner = at < step ? 0 : (above[at - step] ?? 0)
      row[at] = (row[at] ?? 0) + paeth(left, above[at] ?? 0, corner)
    }
}

/** The neighbour that is nearest to an estimate of all three (PNG, 9.4). */
const paeth = (left: number, above: number, corner: number): number => {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** Takes the opacity, the last sample of each point, apart from the colours. */
const splitOpacity = (rows: Uint8Array, { width, height, depth, colour }: Header) => {
  const size = depth / 8
  const all = (pngChannels[colour] ?? 2) * size
  const points = width * height
  const bytes = new Uint8Array(points * (all - size))
  const opacity = new Uint8Array(points * size)
  let [from, toColour, toOpacity] = [0, 0, 0]
  for (let point = 0; point < points; point += 1) {
    for (const end = from + all - size; from < end; from += 1) bytes[toColour++] = rows[from] ?? 0
    for (const end = from + size; from < end; from += 1) opacity[toOpacity++] = rows[from] ?? 0
  }
  return { bytes, opacity }
}

/** The opacity of each point by its index in the palette, or none for the one colour that is transparent. */
const keyedOpacity = (
  rows: Uint8Array,
  { width, height, depth, colour }: Header,
  key: Uint8Array,
): Uint8Array => {
  const bits = (pngChannels[colour] ?? 1) * depth
  const length = rowLength(width, bits)
  const opacity = new Uint8Array(width * height)
  for (let point = 0; point < opacity.length; point += 1) {
    const start = Math.floor(point / width) * length
    const index = point % width
    opacity[point] =
      colour === 3
        ? (key[sampleAt({ bytes: rows, start, index }, depth)] ?? 255)
        : isKey(rows, { start, index, depth, samples: pngChannels[colour] ?? 1 }, key)
          ? 0
          : 255
  }
  return opacity
}

type Compared = {
  readonly start: number
  readonly index: number
  readonly depth: number
  readonly samples: number
}

const isKey = (rows: Uint8Array, { start, index, depth, samples }: Compared, key: Uint8Array): boolean => {
  for (let sample = 0; sample < samples; sample += 1) {
    const expected = ((key[2 * sample] ?? 0) << 8) | (key[2 * sample + 1] ?? 0)
    const place = index * samples + sample
    const actual =
      depth === 16
        ? ((rows[start + 2 * place] ?? 0) << 8) | (rows[start + 2 * place + 1] ?? 0)
        : sampleAt({ bytes: rows, start, index: place }, depth)
    if (actual !== expected) return false
  }
  return true
}
