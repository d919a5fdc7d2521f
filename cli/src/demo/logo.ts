import { crc32, deflateSync } from 'node:zlib'

const size = 96

/** A two-colour PNG: a ring and a dot on white. */
export const demoLogo = (): string => {
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size / 8)
    for (let x = 0; x < size; x += 1) {
      const distance = Math.hypot(x - (size - 1) / 2, y - (size - 1) / 2)
      const isInk = distance < 14 || (distance > 30 && distance < 44)
      const byte = 1 + (x >> 3)
      if (!isInk) row.writeUInt8(row.readUInt8(byte) | (0x80 >> (x & 7)), byte)
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, 3], 8)
  const palette = Buffer.from([0x1f, 0x4e, 0x79, 0xff, 0xff, 0xff])
  const png = Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
