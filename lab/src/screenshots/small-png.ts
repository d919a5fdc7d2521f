import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { type PngHeader, pngSamples, readPng } from '../../../pdf/src/pictures/read-png.ts'

const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')

/** Writes a picture of a browser with at most 256 colours: a screen has few, so that nobody sees a difference. */
export const smallPng = (png: Uint8Array): Buffer => {
  const { head, frames } = withOnePalette([png])
  return Buffer.concat([
    signature,
    ...head,
    ...frames.map((rows) => chunk('IDAT', rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Shows pictures of one size one after the other, for ever. Browsers that know no animated PNG show the first. */
export const animatedPng = (pngs: readonly Uint8Array[], seconds: number): Buffer => {
  const { width, height, head, frames } = withOnePalette(pngs)
  let sequence = 0
  const numbered = (type: string, fields: Uint8Array): Buffer => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(sequence)
    sequence += 1
    return chunk(type, Buffer.concat([number, fields]))
  }
  const [ihdr, palette] = head
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames.length)
  // Width, height, place, duration in seconds; each picture replaces the one before.
  const shown = Buffer.alloc(22)
  shown.writeUInt32BE(width, 0)
  shown.writeUInt32BE(height, 4)
  shown.writeUInt16BE(seconds, 16)
  shown.writeUInt16BE(1, 18)
  return Buffer.concat([
    signature,
    ihdr,
    chunk('acTL', control),
    palette,
    ...frames.flatMap((rows, at) => [
      numbered('fcTL', shown),
      at === 0 ? chunk('IDAT', rows) : numbered('fdAT', rows),
    ]),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The compressed rows of pictures of one size, and the chunks before them. */
const withOnePalette = (pngs: readonly Uint8Array[]) => {
  const pictures = pngs.map(coloursOf)
  const [{ width, height } = { width: 0, height: 0 }] = pictures
  const palette = paletteOf(pictures.map(({ colours }) => colours))
  const indexOf = nearestIn(palette)
  const frames = pictures.map(({ colours }) => {
    const rows = Buffer.alloc((width + 1) * height)
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0)
    return deflateSync(rows, { level: 9 })
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const bytes = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return { width, height, head: [chunk('IHDR', header), chunk('PLTE', bytes)] as const, frames }
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
const paletteOf = (pictures: readonly Uint32Array[]): number[] => {
  const counts = new Map<number, number>()
  for (const colours of pictures)
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
