import type { Image } from './image.ts'

/** Baseline, extended and progressive frames (ITU T.81, table B.1). */
const frames = new Set([0xc0, 0xc1, 0xc2])
const startOfScan = 0xda

/** A valid JPEG of one or three colours as an image, its bytes as they are; undefined if it has others. */
export const imageOfJpeg = (bytes: Uint8Array): Image | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 10 <= bytes.length && view.getUint8(at + 1) !== startOfScan; ) {
    if (frames.has(view.getUint8(at + 1))) {
      const [height, width, samples] = [view.getUint16(at + 5), view.getUint16(at + 7), view.getUint8(at + 9)]
      const colours = ({ 1: 'grey', 3: 'rgb' } as const)[samples]
      return colours && { width, height, depth: 8, colours, content: { kind: 'jpeg', bytes } }
    }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}
