const crcOf = (bytes: Uint8Array): number => {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}

/** A zip with stored entries, which every program opens. */
export const zipOf = (entries: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> => {
  const out: number[] = []
  const directory: number[] = []
  const number = (list: number[], value: number, size: number): void => {
    for (let at = 0; at < size; at += 1) list.push((value >>> (8 * at)) & 255)
  }
  for (const [name, bytes] of Object.entries(entries)) {
    const letters = new TextEncoder().encode(name)
    const place = out.length
    const facts = (list: number[]): void => {
      for (const value of [20, 0x800, 0, 0, 0]) number(list, value, 2)
      for (const value of [crcOf(bytes), bytes.length, bytes.length]) number(list, value, 4)
      for (const value of [letters.length, 0]) number(list, value, 2)
    }
    number(out, 0x04034b50, 4)
    facts(out)
    for (const byte of [...letters, ...bytes]) out.push(byte)
    number(directory, 0x02014b50, 4)
    number(directory, 20, 2)
    facts(directory)
    for (const value of [0, 0, 0]) number(directory, value, 2)
    for (const value of [0, place]) number(directory, value, 4)
    for (const byte of letters) directory.push(byte)
  }
  const count = Object.keys(entries).length
  const [size, start] = [directory.length, out.length]
  for (const byte of directory) out.push(byte)
  number(out, 0x06054b50, 4)
  for (const value of [0, 0, count, count]) number(out, value, 2)
  for (const value of [size, start]) number(out, value, 4)
  number(out, 0, 2)
  return Uint8Array.from(out)
}
