import { clearHints, partsAt, writeOutlines } from './outlines.ts'
import { bytesOf, part } from './sfnt.ts'

/** A stream of one kind of data of all glyphs. */
type Stream = { readonly view: DataView; at: number }

type Streams = {
  readonly contours: Stream
  readonly pointCounts: Stream
  readonly flags: Stream
  readonly points: Stream
  readonly composites: Stream
  readonly boxes: Stream
  readonly instructions: Stream
}

const streamNames = [
  'contours',
  'pointCounts',
  'flags',
  'points',
  'composites',
  'boxes',
  'instructions',
] as const
const firstStream = 36

/**
 * The tables glyf and loca from what WOFF2 makes of them (WOFF2, 5.1). Hints are left out. Outlines become longer than
 * they were, so that loca has four bytes for each.
 */
export const rebuildOutlines = (view: DataView) => {
  const glyphs = view.getUint16(4)
  const streams = openStreams(view)
  const boxMap = bytesOf(take(streams.boxes, 4 * ((glyphs + 31) >> 5)))
  const outlines: Uint8Array[] = []
  for (let glyph = 0; glyph < glyphs; glyph += 1) {
    const contours = streams.contours.view.getInt16(streams.contours.at)
    streams.contours.at += 2
    const hasBox = ((boxMap[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
    const box = hasBox ? take(streams.boxes, 8) : undefined
    if (contours === 0) outlines.push(new Uint8Array())
    else if (contours < 0) outlines.push(composite(streams, box))
    else outlines.push(simple(streams, contours, box))
  }
  return writeOutlines(outlines)
}

const openStreams = (view: DataView): Streams => {
  let at = firstStream
  const streams = streamNames.map((name, index) => {
    const length = view.getUint32(8 + 4 * index)
    at += length
    return [name, { view: part(view, at - length, length), at: 0 }] as const
  })
  return Object.fromEntries(streams) as Streams
}

const take = (stream: Stream, length: number): DataView => {
  stream.at += length
  return part(stream.view, stream.at - length, length)
}

const byte = (stream: Stream): number => {
  stream.at += 1
  return stream.view.getUint8(stream.at - 1)
}

/** A number of one to three bytes (WOFF2, 5.2). */
const read255 = (stream: Stream): number => {
  const code = byte(stream)
  if (code === 253) {
    stream.at += 2
    return stream.view.getUint16(stream.at - 2)
  }
  if (code === 255) return byte(stream) + 253
  return code === 254 ? byte(stream) + 506 : code
}

const composite = (streams: Streams, box: DataView | undefined): Uint8Array => {
  const { composites } = streams
  const start = composites.at
  const parts = partsAt(composites.view, start)
  composites.at += parts.reduce((sum, { length }) => sum + length, 0)
  if (parts.some(({ hasHints }) => hasHints)) take(streams.instructions, read255(streams.points))
  const outline = new DataView(new ArrayBuffer(outlineStart + composites.at - start))
  outline.setInt16(0, -1)
  const bytes = bytesOf(outline)
  if (box !== undefined) bytes.set(bytesOf(box), 2)
  bytes.set(bytesOf(part(composites.view, start, composites.at - start)), outlineStart)
  for (const one of partsAt(outline, outlineStart)) clearHints(outline, one)
  return bytes
}

/** Behind the number of contours and the box. */
const outlineStart = 10

type Point = { readonly x: number; readonly y: number; readonly isOnCurve: boolean }

const simple = (streams: Streams, contours: number, box: DataView | undefined): Uint8Array => {
  const ends: number[] = []
  let count = 0
  for (let contour = 0; contour < contours; contour += 1) {
    count += read255(streams.pointCounts)
    ends.push(count - 1)
  }
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let point = 0; point < count; point += 1) {
    const flag = byte(streams.flags)
    const [dx, dy] = readPoint(flag & 0x7f, streams.points)
    x += dx
    y += dy
    points.push({ x, y, isOnCurve: flag < 128 })
  }
  take(streams.instructions, read255(streams.points))
  return outlineOf(points, ends, box)
}

const signed = (isPositive: boolean, value: number): number => (isPositive ? value : -value)

/** The distance to a point from the one before: one to four bytes, by its flag (WOFF2, 5.2). */
const readPoint = (flag: number, stream: Stream): readonly [number, number] => {
  const [xUp, yUp] = [(flag & 1) !== 0, (flag & 2) !== 0]
  if (flag < 10) return [0, signed(xUp, ((flag & 14) << 7) + byte(stream))]
  if (flag < 20) return [signed(xUp, (((flag - 10) & 14) << 7) + byte(stream)), 0]
  if (flag < 84) {
    const base = flag - 20
    const both = byte(stream)
    return [
      signed(xUp, 1 + (base & 0x30) + (both >> 4)),
      signed(yUp, 1 + ((base & 0x0c) << 2) + (both & 0x0f)),
    ]
  }
  if (flag < 120) {
    const base = flag - 84
    const x = 1 + (Math.floor(base / 12) << 8) + byte(stream)
    return [signed(xUp, x), signed(yUp, 1 + (((base % 12) >> 2) << 8) + byte(stream))]
  }
  if (flag < 124) {
    const [first, second, third] = [byte(stream), byte(stream), byte(stream)]
    return [signed(xUp, (first << 4) + (second >> 4)), signed(yUp, ((second & 0x0f) << 8) + third)]
  }
  const x = (byte(stream) << 8) + byte(stream)
  return [signed(xUp, x), signed(yUp, (byte(stream) << 8) + byte(stream))]
}

/** A simple outline with two bytes for each coordinate: larger than it could be, but only the used ones are embedded. */
const outlineOf = (
  points: readonly Point[],
  ends: readonly number[],
  box: DataView | undefined,
): Uint8Array => {
  const head = 10 + 2 * ends.length + 2
  const outline = new DataView(new ArrayBuffer(head + 5 * points.length))
  outline.setInt16(0, ends.length)
  for (const [index, side] of boxOf(points, box).entries()) outline.setInt16(2 + 2 * index, side)
  for (const [contour, end] of ends.entries()) outline.setUint16(10 + 2 * contour, end)
  const [xs, ys] = [head + points.length, head + 3 * points.length]
  let [x, y] = [0, 0]
  for (const [index, point] of points.entries()) {
    outline.setUint8(head + index, point.isOnCurve ? 1 : 0)
    outline.setInt16(xs + 2 * index, point.x - x)
    outline.setInt16(ys + 2 * index, point.y - y)
    ;[x, y] = [point.x, point.y]
  }
  return bytesOf(outline)
}

const boxOf = (points: readonly Point[], box: DataView | undefined): readonly number[] => {
  if (box !== undefined) return [0, 2, 4, 6].map((at) => box.getInt16(at))
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
