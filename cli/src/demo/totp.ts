import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

/** The code of an authenticator app (RFC 6238, SHA-1, six digits). */
export const codeOf = (secret: string, nowMs: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / stepMs)))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  // RFC 4226 §5.3: the last half byte is the offset of the four bytes to use.
  const at = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(at) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

const decodeBase32 = (text: string): Buffer => {
  const bits = [...text.toUpperCase().replaceAll(/[=\s]/g, '')]
    .map((letter) => {
      const value = alphabet.indexOf(letter)
      if (value < 0) throw new TypeError('The secret is not base32')
      return value.toString(2).padStart(5, '0')
    })
    .join('')
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
