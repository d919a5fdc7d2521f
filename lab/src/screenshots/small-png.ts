import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { type PngHeader, pngSamples, readPng } from '../../../pdf/src/pictures/read-png.ts'

const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')

/** Writes a picture of a browser with at most 256 colours: a screen has few, so that nobody sees a difference. */
export const smallPng = (png: Uint8Array): Buffer => {
  const { width, height, colours } = coloursOf(png)
  const palette = paletteOf(colours)
  const indexOf = nearestIn(palette)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const bytes = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', bytes),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** What Chromium writes: eight bits, red, green and blue, perhaps with an opacity. */
const coloursOf = (png: Uint8Array): PngHeader & { readonly colours: Uint32Array } => {
  const { header, data } = readPng(png)
  const samples = pngSamples(inflateSync(data), header)
  const step = header.colour === 6 ? 4 : 3
  const colours = new Uint32Array(header.width * header.height)
  for (let at = 0; at < colours.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = samples.subarray(at * step)
    colours[at] = (red << 16) | (green << 8) | blue
  }
  return { ...header, colours }
}

/** Colours that differ only in the last bits count as one, and the most frequent of them stands for all. */
const paletteOf = (colours: Uint32Array): number[] => {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const frequent = [...counts].toSorted(([one, often], [other, less]) => less - often || one - other)
  const chosen: number[] = []
  for (const mask of [0xf8f8f8, 0xffffff]) {
    const taken = new Set(chosen.map((colour) => colour & mask))
    for (const [colour] of frequent) {
      if (chosen.length === 256) return chosen
      if (taken.has(colour & mask)) continue
      taken.add(colour & mask)
      chosen.push(colour)
    }
  }
  return chosen
}

const nearestIn = (palette: readonly number[]): ((colour: number) => number) => {
  const known = new Map(palette.map((colour, index) => [colour, index]))
  return (colour) => {
    const found = known.get(colour)
    if (found !== undefined) return found
    const distances = palette.map((each) => distance(each, colour))
    const nearest = distances.indexOf(Math.min(...distances))
    known.set(colour, nearest)
    return nearest
  }
}

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)
