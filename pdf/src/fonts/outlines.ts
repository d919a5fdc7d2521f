import { bytesOf } from './sfnt.ts'

/** The flags of a part of a composite outline (OpenType, glyf). */
const flags = { wordArguments: 0x1, scale: 0x8, more: 0x20, twoScales: 0x40, matrix: 0x80, hints: 0x1_00 }

/** A part of a composite outline. */
export type OutlinePart = {
  readonly at: number
  readonly length: number
  readonly hasHints: boolean
}

/** The parts of a composite outline that begin at a place. */
export const partsAt = (view: DataView, start: number): readonly OutlinePart[] => {
  const parts: OutlinePart[] = []
  for (let at = start; ; ) {
    const kind = view.getUint16(at)
    const length = 4 + (kind & flags.wordArguments ? 4 : 2) + scaleLength(kind)
    parts.push({ at, length, hasHints: (kind & flags.hints) !== 0 })
    at += length
    if ((kind & flags.more) === 0) return parts
  }
}

const scaleLength = (kind: number): number => {
  if (kind & flags.matrix) return 8
  if (kind & flags.twoScales) return 4
  return kind & flags.scale ? 2 : 0
}

/** Clears the flag of hints of a part. */
export const clearHints = (view: DataView, { at }: OutlinePart): void =>
  view.setUint16(at, view.getUint16(at) & ~flags.hints)

/** The tables glyf and loca, which has four bytes for each outline. */
export const writeOutlines = (outlines: readonly Uint8Array[]) => {
  const even = (length: number): number => (length + 3) & ~3
  const glyf = new Uint8Array(outlines.reduce((sum, { length }) => sum + even(length), 0))
  const loca = new DataView(new ArrayBuffer(4 * (outlines.length + 1)))
  let [at, place] = [0, 0]
  for (const outline of outlines) {
    loca.setUint32(4 * place, at)
    glyf.set(outline, at)
    at += even(outline.length)
    place += 1
  }
  loca.setUint32(4 * outlines.length, at)
  return { glyf, loca: bytesOf(loca) }
}
