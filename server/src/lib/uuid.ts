import { randomBytes } from 'node:crypto'

/** UUIDv7 (RFC 9562 §5.7). Its order by time keeps new ids of a table together in the index. */
export const uuidv7 = (nowMs: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
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
