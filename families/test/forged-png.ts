import { crc32, deflateSync } from 'node:zlib'

/** A PNG with the given header and data and valid checksums. */
export const forgedPng = (from: {
  width?: number
  height?: number
  depth?: number
  color?: number
  data?: Buffer
}): Buffer => {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(from.width ?? 1, 0)
  header.writeUInt32BE(from.height ?? 1, 4)
  header.writeUInt8(from.depth ?? 8, 8)
  header.writeUInt8(from.color ?? 0, 9)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', from.data ?? deflateSync(Buffer.from([0, 1]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
