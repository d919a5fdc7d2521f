/** The transfer curve of sRGB as a parametric curve of type 3 (IEC 61966-2-1). */
const curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45]
/** The primaries of sRGB and its white point, adapted to D50 (ICC.1:2022, annex E). */
const primaries = {
  rXYZ: [0.436_065_67, 0.222_488_4, 0.013_916_02],
  gXYZ: [0.385_147_09, 0.716_873_17, 0.097_076_42],
  bXYZ: [0.143_066_41, 0.060_607_91, 0.714_096_07],
  wtpt: [0.964_202_88, 1, 0.824_905_4],
}

/** An ICC profile of sRGB, version 4: the colours of a PDF/A are colours of this space. */
export const srgbProfile = (): Uint8Array => (profile ??= makeProfile())

let profile: Uint8Array | undefined

const makeProfile = (): Uint8Array => {
  const trc = parametricCurve()
  const tags: [tag: string, content: Uint8Array][] = [
    ['desc', unicodeText('sRGB')],
    ['cprt', unicodeText('No copyright')],
    ...Object.entries(primaries).map(([tag, values]): [string, Uint8Array] => [tag, xyz(values)]),
    ['rTRC', trc],
    ['gTRC', trc],
    ['bTRC', trc],
  ]
  return assemble(tags)
}

const headerLength = 128

const assemble = (tags: readonly (readonly [string, Uint8Array])[]): Uint8Array => {
  const places = new Map<Uint8Array, number>()
  let length = headerLength + 4 + 12 * tags.length
  for (const [, content] of tags) {
    if (places.has(content)) continue
    places.set(content, length)
    length += (content.length + 3) & ~3
  }
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  writeHeader(view)
  view.setUint32(headerLength, tags.length)
  for (const [index, [tag, content]] of tags.entries()) {
    const record = headerLength + 4 + 12 * index
    ascii(view, record, tag)
    view.setUint32(record + 4, places.get(content) ?? 0)
    view.setUint32(record + 8, content.length)
    bytes.set(content, places.get(content) ?? 0)
  }
  return bytes
}

const writeHeader = (view: DataView): void => {
  view.setUint32(0, view.byteLength)
  view.setUint32(8, 0x04_20_00_00)
  for (const [at, text] of [
    [12, 'mntr'],
    [16, 'RGB '],
    [20, 'XYZ '],
    [36, 'acsp'],
  ] as const)
    ascii(view, at, text)
  for (const [index, value] of [2026, 1, 1].entries()) view.setUint16(24 + 2 * index, value)
  for (const [index, value] of primaries.wtpt.entries()) view.setInt32(68 + 4 * index, fixed(value))
}

const ascii = (view: DataView, at: number, text: string): void => {
  for (const [index, character] of [...text].entries()) view.setUint8(at + index, character.charCodeAt(0))
}

/** A number with 16 bits after the point. */
const fixed = (value: number): number => Math.round(value * 65_536)

const typed = (type: string, length: number): DataView => {
  const view = new DataView(new ArrayBuffer(length))
  ascii(view, 0, type)
  return view
}

const xyz = (values: readonly number[]): Uint8Array => {
  const view = typed('XYZ ', 20)
  for (const [index, value] of values.entries()) view.setInt32(8 + 4 * index, fixed(value))
  return new Uint8Array(view.buffer)
}

const parametricCurve = (): Uint8Array => {
  const view = typed('para', 32)
  view.setUint16(8, 3)
  for (const [index, value] of curve.entries()) view.setInt32(12 + 4 * index, fixed(value))
  return new Uint8Array(view.buffer)
}

/** A text in one language, as ICC writes it: multiLocalizedUnicodeType. */
const unicodeText = (text: string): Uint8Array => {
  const view = typed('mluc', 28 + 2 * text.length)
  view.setUint32(8, 1)
  view.setUint32(12, 12)
  ascii(view, 16, 'enUS')
  view.setUint32(20, 2 * text.length)
  view.setUint32(24, 28)
  for (let at = 0; at < text.length; at += 1) view.setUint16(28 + 2 * at, text.charCodeAt(at))
  return new Uint8Array(view.buffer)
}
