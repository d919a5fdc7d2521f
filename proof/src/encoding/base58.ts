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
  // Two characters and two bytes at a time: their product, with the carry, has 28 bits.
  const limbs: number[] = []
  for (let at = 0; at < text.length; at += 2) {
    const isLast = at + 1 === text.length
    const factor = isLast ? 58 : 58 * 58
    let carry = isLast ? digitAt(text, at) : digitAt(text, at) * 58 + digitAt(text, at + 1)
    for (let limb = 0; limb < limbs.length; limb += 1) {
      carry += (limbs[limb] ?? 0) * factor
      limbs[limb] = carry & 0xff_ff
      carry >>= 16
    }
    if (carry > 0) limbs.push(carry)
  }
  const read = limbs.flatMap((limb) => [limb & 0xff, limb >> 8])
  if (read.at(-1) === 0) read.pop()
  const leading = /^1*/.exec(text)?.[0].length ?? 0
  const bytes = new Uint8Array(leading + read.length)
  bytes.set(read.toReversed(), leading)
  return bytes
}

const digitAt = (text: string, at: number): number => {
  const digit = digits.get(text.charAt(at))
  if (digit === undefined) throw new SyntaxError('Not base58')
  return digit
}
