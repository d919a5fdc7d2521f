import { because, type Reason } from '@millseal/contract/reasons'

const maxSide = 8_192
/** Baseline, extended and progressive, which viewers and PDF support (ITU T.81, table B.1). */
const frames = new Set([0xc0, 0xc1, 0xc2])

/** Why viewers could not show these bytes as a JPEG; undefined if they can. Pixels are not decoded. */
export const flawOfJpeg = (bytes: Buffer): Reason | undefined => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return because('picture_not_jpeg')
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return because('picture_cut_off')
  const seen = new Set<number>()
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes.readUInt8(at) !== 0xff) return because('picture_damaged')
    const marker = bytes.readUInt8(at + 1)
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return because('picture_cut_off')
    if (marker === startOfScan) return flawOfScan(bytes.subarray(at + 2 + length), seen)
    seen.add(marker)
    if (frames.has(marker)) {
      const flaw = flawOfFrame(bytes.subarray(at + 4, at + 2 + length))
      if (flaw !== undefined) return flaw
    }
    at += 2 + length
  }
  return because('picture_cut_off')
}

const startOfScan = 0xda
const [quantization, huffman] = [0xdb, 0xc4]

const flawOfScan = (scan: Buffer, seen: ReadonlySet<number>): Reason | undefined => {
  const isReadable =
    [...frames].some((frame) => seen.has(frame)) && seen.has(quantization) && seen.has(huffman)
  if (!isReadable) return because('picture_damaged')
  return scan.length >= 2 && scan.readUInt16BE(0) === 0xffd9
    ? because('picture_without_first_pixel')
    : undefined
}

const flawOfFrame = (frame: Buffer): Reason | undefined => {
  if (frame.length < 6) return because('picture_damaged')
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  if (width === 0 || height === 0) return because('picture_without_size')
  if (width > maxSide || height > maxSide) return because('picture_too_wide', { most: maxSide })
  return [1, 3].includes(frame.readUInt8(5)) ? undefined : because('picture_has_other_colours')
}
