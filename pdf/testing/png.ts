import { crc32, deflateSync } from 'node:zlib'

/** A picture as PNG describes it; `sampleAt` answers the samples of a point, each of `depth` bits. */
export type Drawing = {
  readonly width: number
  readonly height: number
  readonly depth: number
  /** The colour type. */
  readonly colour: 0 | 2 | 3 | 4 | 6
  readonly sampleAt: (x: number, y: number) => readonly number[]
  readonly isInterlaced?: boolean
  /** The filter of each row; by default all five in turn. */
  readonly filterOf?: (row: number) => number
  readonly palette?: Uint8Array
  readonly transparency?: Uint8Array
  /** The number of chunks with data. */
  readonly dataChunks?: number
}

const chunk = (kind: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Points from (x, y) on, in steps (PNG, 8.2). */
type Pass = { readonly x: number; readonly y: number; readonly stepX: number; readonly stepY: number }

const whole: Pass = { x: 0, y: 0, stepX: 1, stepY: 1 }
const interlaced: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]

const packed = (samples: readonly number[], depth: number): number[] => {
  if (depth === 16) return samples.flatMap((sample) => [sample >> 8, sample & 255])
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('')
  return (bits.match(/.{1,8}/gu) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

const rowsOf = ({ width, height, depth, sampleAt }: Drawing, { x, y, stepX, stepY }: Pass): number[][] => {
  const rows: number[][] = []
  for (let row = y; row < height; row += stepY) {
    const samples: number[] = []
    for (let column = x; column < width; column += stepX) samples.push(...sampleAt(column, row))
    if (samples.length > 0) rows.push(packed(samples, depth))
  }
  return rows
}

const paeth = (left: number, above: number, corner: number): number =>
  [left, above, corner].toSorted(
    (a, b) => Math.abs(left + above - corner - a) - Math.abs(left + above - corner - b),
  )[0] ?? 0

const predictions: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => Math.floor((left + above) / 2),
  paeth,
]

const filtered = (rows: readonly number[][], step: number, filterOf: (row: number) => number): number[] =>
  rows.flatMap((row, index) => {
    const filter = filterOf(index)
    const before = rows[index - 1]
    return [
      filter,
      ...row.map((byte, at) => {
        const predicted =
          predictions[filter]?.(row[at - step] ?? 0, before?.[at] ?? 0, before?.[at - step] ?? 0) ?? 0
        return (byte - predicted) & 255
      }),
    ]
  })

/** The PNG file of a drawing. */
export const encodePng = (drawing: Drawing): Uint8Array => {
  const { width, height, depth, colour, isInterlaced = false, filterOf = (row) => row % 5 } = drawing
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8)
  const step = Math.max(1, (drawing.sampleAt(0, 0).length * depth) >> 3)
  const passes = isInterlaced ? interlaced : [whole]
  const data = deflateSync(
    Buffer.from(passes.flatMap((pass) => filtered(rowsOf(drawing, pass), step, filterOf))),
  )
  const { palette, transparency, dataChunks = 1 } = drawing
  const size = Math.ceil(data.length / dataChunks)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    ...(transparency === undefined ? [] : [chunk('tRNS', transparency)]),
    ...Array.from({ length: dataChunks }, (_, index) =>
      chunk('IDAT', data.subarray(index * size, (index + 1) * size)),
    ),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
