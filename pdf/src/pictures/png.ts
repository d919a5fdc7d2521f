import type { Deflate } from '../objects/object-file.ts'
import type { Image } from './image.ts'
import { type PngHeader, pngChannels, pngRowLength, pngSampleAt, pngSamples, readPng } from './read-png.ts'

/** Decompresses from the zlib format. Browsers have only an asynchronous one. */
export type Inflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

/**
 * A valid PNG as an image. Its compressed rows are passed on as they are, unless it is interlaced or has transparent
 * points: a PDF has the opacity in an image of its own. Such rows are compressed here, so that an image that is in many
 * files is compressed once.
 */
export const imageOfPng = async (
  file: Uint8Array,
  { inflate, deflate }: { readonly inflate: Inflate; readonly deflate: Deflate },
): Promise<Image> => {
  const { header, data, palette, transparency } = readPng(file)
  const { width, height, depth, colour, isInterlaced } = header
  const colours = coloursOf(colour, palette)
  if (!isInterlaced && colour < 4 && transparency === undefined)
    return { width, height, depth, colours, content: { kind: 'png', bytes: data } }
  const rows = pngSamples(await inflate(data), header)
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
    opacity: opacity && { bytes: await deflate(opacity), depth: colour >= 4 ? depth : 8 },
  }
}

const coloursOf = (colour: number, palette: Uint8Array = new Uint8Array(3)): Image['colours'] => {
  if (colour === 3) return { palette }
  return colour % 4 === 0 ? 'grey' : 'rgb'
}

/** Takes the opacity, the last sample of each point, apart from the colours. */
const splitOpacity = (rows: Uint8Array, { width, height, depth, colour }: PngHeader) => {
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
const keyedOpacity = (rows: Uint8Array, header: PngHeader, key: Uint8Array): Uint8Array => {
  const { width, height, depth, colour } = header
  const samples = pngChannels[colour] ?? 1
  const length = pngRowLength(header)
  const opacity = new Uint8Array(width * height)
  for (let point = 0; point < opacity.length; point += 1) {
    const start = Math.floor(point / width) * length
    const index = point % width
    if (colour === 3) opacity[point] = key[pngSampleAt({ bytes: rows, start, index }, depth)] ?? 255
    else opacity[point] = isKey(rows, { start, index, depth, samples }, key) ? 0 : 255
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
        : pngSampleAt({ bytes: rows, start, index: place }, depth)
    if (actual !== expected) return false
  }
  return true
}
