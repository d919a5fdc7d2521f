import { array, dictionary, type Source } from '../objects/source.ts'
import { type ObjectFile, type Reference, refer, type Stream } from '../objects/object-file.ts'
import type { Image } from './image.ts'

export const writeImage = (file: ObjectFile, image: Image): Reference => {
  const { width, height, colours, depth, opacity } = image
  const common = { Type: '/XObject', Subtype: '/Image', Width: width, Height: height }
  const mask =
    opacity &&
    file.addStream({
      entries: {
        ...common,
        ColorSpace: '/DeviceGray',
        BitsPerComponent: opacity.depth,
        Filter: '/FlateDecode',
      },
      bytes: opacity.bytes,
      as: 'compressed',
    })
  return file.addStream(
    contentOf(image, {
      ...common,
      ColorSpace: colourSpace(colours),
      BitsPerComponent: depth,
      SMask: mask === undefined ? undefined : refer(mask),
    }),
  )
}

const contentOf = ({ content, colours, depth, width }: Image, entries: Stream['entries']): Stream => {
  const { kind, bytes } = content
  const rows = { Predictor: 15, Colors: colours === 'rgb' ? 3 : 1, BitsPerComponent: depth, Columns: width }
  const filter = {
    Filter: kind === 'jpeg' ? '/DCTDecode' : '/FlateDecode',
    DecodeParms: kind === 'png' ? dictionary(rows) : undefined,
  }
  return { entries: { ...entries, ...filter }, bytes, as: 'compressed' }
}

const colourSpace = (colours: Image['colours']): Source => {
  if (colours === 'grey') return '/DeviceGray'
  if (colours === 'rgb') return '/DeviceRGB'
  const { palette } = colours
  let hex = ''
  for (let at = 0; at < palette.length; at += 1) hex += hexOfBytes[palette[at] ?? 0]
  return array(['/Indexed', '/DeviceRGB', palette.length / 3 - 1, `<${hex}>`])
}

const hexOfBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
