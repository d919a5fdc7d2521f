const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digits = new Map([...alphabet].map((character, digit) => [character, digit]))

/** Encoding takes quadratic time, and we only encode keys. */
const longest = 256

/** Base58 with Bitcoin's alphabet; a leading zero byte is a leading "1". */
export const encodeBase58 = (bytes: Uint8Array): string => {
  if (bytes.length > longest) throw new RangeError(`More than ${longest} bytes`)
  const written: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let at = 0; at < written.length; at += 1) {
      carry += (written[at] ?? 0) << 8
      written[at] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) written.push(carry % 58)
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  const leading = zeros === -1 ? bytes.length : zeros
  return (
    '1'.repeat(leading) +
    written
      .toReversed()
      .map((digit) => alphabet.charAt(digit))
      .join('')
  )
}

export const decodeBase58 = (text: string): Uint8Array => {
  if (text.length > 2 * longest) throw new RangeError(`More than ${2 * longest} characters`)
  const read: number[] = []
  for (const character of text) {
    let carry = digits.get(character)
    if (carry === undefined) throw new SyntaxError('Not base58')
    for (let at = 0; at < read.length; at += 1) {
      carry += (read[at] ?? 0) * 58
      read[at] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) read.push(carry & 0xff)
  }
  const leading = /^1*/.exec(text)?.[0].length ?? 0
  const bytes = new Uint8Array(leading + read.length)
  bytes.set(read.toReversed(), leading)
  return bytes
}
