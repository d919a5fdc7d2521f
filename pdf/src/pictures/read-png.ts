import { joinBytes } from '../objects/bytes.ts'

export type PngHeader = {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
  readonly isInterlaced: boolean
}

/** Samples of each point, by the colour type of PNG: grey, RGB, index, grey and opacity, RGB and opacity. */
export const pngChannels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A file whose first chunk is its header. */
export const readPngHeader = (file: Uint8Array): PngHeader => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth: view.getUint8(24),
    colour: view.getUint8(25),
    isInterlaced: view.getUint8(28) === 1,
  }
}

export type PngChunk = {
  readonly kind: string
  readonly content: Uint8Array
  /** The kind and the content, of which `checksum` is the CRC. */
  readonly checked: Uint8Array
  readonly checksum: number
}

/** The chunks up to the first that is cut off. */
export const pngChunks = function* (file: Uint8Array): Generator<PngChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > file.length) return
    yield {
      kind: String.fromCodePoint(...file.subarray(at + 4, at + 8)),
      content: file.subarray(at + 8, end),
      checked: file.subarray(at + 4, end),
      checksum: view.getUint32(end),
    }
    at = end + 4
  }
}

export type Png = {
  readonly header: PngHeader
  /** The compressed rows. */
  readonly data: Uint8Array
  readonly palette?: Uint8Array
  readonly transparency?: Uint8Array
}

/** Of a valid file. */
export const readPng = (file: Uint8Array): Png => {
  const data: Uint8Array[] = []
  const found: { palette?: Uint8Array; transparency?: Uint8Array } = {}
  for (const { kind, content } of pngChunks(file)) {
    if (kind === 'IDAT') data.push(content)
    if (kind === 'PLTE') found.palette = content.subarray(0, content.length - (content.length % 3))
    if (kind === 'tRNS') found.transparency = content
  }
  return { header: readPngHeader(file), data: joinBytes(data), ...found }
}

const bitsOf = ({ colour, depth }: PngHeader): number => (pngChannels[colour] ?? 1) * depth

const rowLength = (width: number, bits: number): number => Math.ceil((width * bits) / 8)

export const pngRowLength = (header: PngHeader): number => rowLength(header.width, bitsOf(header))

type Pass = {
  /** Where its points begin, and how far apart they are. */
  readonly x: number
  readonly y: number
  readonly stepX: number
  readonly stepY: number
}

/** The passes of an interlaced picture (PNG, 8.2). */
const interlaced: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]
const whole: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }]

/** The passes that have points. */
const passesOf = (header: PngHeader): readonly (Pass & Rows & { readonly columns: number })[] => {
  const bits = bitsOf(header)
  return (header.isInterlaced ? interlaced : whole)
    .map((pass) => {
      const columns = Math.ceil((header.width - pass.x) / pass.stepX)
      const rows = Math.ceil((header.height - pass.y) / pass.stepY)
      return { ...pass, columns, rows, length: rowLength(columns, bits), bits }
    })
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
}

/** The length of the rows before their compression, each with the byte of its filter (PNG, 7.2). */
export const pngDataLength = (header: PngHeader): number =>
  passesOf(header).reduce((sum, { rows, length }) => sum + rows * (length + 1), 0)

/** The samples of all rows, without filters and passes. */
export const pngSamples = (filtered: Uint8Array, header: PngHeader): Uint8Array => {
  const passes = passesOf(header)
  const [only] = passes
  if (!header.isInterlaced && only !== undefined) return unfilter(filtered, only)
  const wholeLength = pngRowLength(header)
  const samples = new Uint8Array(header.height * wholeLength)
  let at = 0
  for (const { x, y, stepX, stepY, columns, rows, length, bits } of passes) {
    const pass = unfilter(filtered.subarray(at), { rows, length, bits })
    at += rows * (length + 1)
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const from = { bytes: pass, start: row * length, index: column }
        const to = { bytes: samples, start: (y + row * stepY) * wholeLength, index: x + column * stepX }
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
  to.bytes[at] = (to.bytes[at] ?? 0) | (pngSampleAt(from, bits) << (8 - bits - ((to.index * bits) & 7)))
}

/** A sample of less than a byte. */
export const pngSampleAt = ({ bytes, start, index }: Point, bits: number): number =>
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

/** Adds to each byte what its filter predicts of those left of it and above. The loops are apart because they are hot. */
const unfilterRow = (
  row: Uint8Array,
  { filter, above, step }: { readonly filter: number; readonly above: Uint8Array; readonly step: number },
): void => {
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
