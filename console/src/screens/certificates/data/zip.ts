/** Writes a ZIP archive (APPNOTE 6.3) of files that are small enough for memory. PDFs are compressed already. */
export type ZipFile = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly time: Date }

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}

/** Little-endian numbers of 2 or 4 bytes. */
const fields = (...values: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [size]) => sum + size, 0)))
  let offset = 0
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(offset, value, true)
    else view.setUint32(offset, value, true)
    offset += size
  }
  return new Uint8Array(view.buffer)
}

const dosTime = (time: Date): readonly [time: number, date: number] => [
  (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1),
  ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(),
]

const version = 20
const utf8Names = 0x08_00
const stored = 0
const deflated = 8

const deflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

export const writeZip = async (files: readonly ZipFile[]): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, bytes, time } of files) {
    const encodedName = new TextEncoder().encode(name)
    const small = name.endsWith('.pdf') ? bytes : await deflate(bytes)
    const [clock, day] = dosTime(time)
    const described = fields(
      [2, utf8Names],
      [2, small === bytes ? stored : deflated],
      [2, clock],
      [2, day],
      [4, crc32(bytes)],
      [4, small.length],
      [4, bytes.length],
      [2, encodedName.length],
      [2, 0],
    )
    const header = [fields([4, 0x04_03_4b_50], [2, version]), described, encodedName]
    parts.push(...header, small)
    directory.push(
      fields([4, 0x02_01_4b_50], [2, version], [2, version]),
      described,
      fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      encodedName,
    )
    offset += lengthOf(header) + small.length
  }
  const count = files.length
  const end = fields(
    [4, 0x06_05_4b_50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, lengthOf(directory)],
    [4, offset],
    [2, 0],
  )
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)
