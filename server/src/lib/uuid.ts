import { randomBytes } from 'node:crypto'

/** 18 bits: far more ids than a process makes in one millisecond. */
const sequenceEnd = 0x4_0000
let latestMs = -1
let sequence = 0

/**
 * UUIDv7 (RFC 9562 §5.7). Its order by time keeps new ids of a table together in the index. The ids that one process
 * makes in one millisecond are in the order in which they were made (§6.2, method 1), so lists by id show that order.
 */
export const uuidv7 = (nowMs: number): string => {
  sequence = nowMs > latestMs ? 0 : (sequence + 1) % sequenceEnd
  latestMs = Math.max(latestMs, nowMs)
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | (sequence >> 6), 6)
  bytes[8] = 0x80 | (sequence & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Every `uuidv7` of this time or later is at least this, and every earlier one is less. */
export const uuidv7Bound = (timeMs: number): string => {
  const time = Math.min(Math.max(timeMs, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
