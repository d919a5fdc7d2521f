const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const urlSafe = `${standard.slice(0, 62)}-_`

/** RFC 4648 §4, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  const text = encode(bytes, standard)
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** RFC 4648 §5, without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => encode(bytes, urlSafe)

/** Accepts only the output of `encodeBase64`: padded, no stray bits, no white space. */
export const decodeBase64 = (text: string): Uint8Array => {
  const padding = /={0,2}$/.exec(text)?.[0].length ?? 0
  if (text.length % 4 !== 0) throw new SyntaxError('Not padded base64')
  return decode(text.slice(0, text.length - padding), standardDigits)
}

/** Undefined if the text is not the output of `encodeBase64`. */
export const tryDecodeBase64 = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase64(text)
  } catch {
    return undefined
  }
}

/** Accepts only the output of `encodeBase64Url`. */
export const decodeBase64Url = (text: string): Uint8Array => decode(text, urlSafeDigits)

const digitsOf = (alphabet: string): ReadonlyMap<string, number> =>
  new Map([...alphabet].map((character, digit) => [character, digit]))
const standardDigits = digitsOf(standard)
const urlSafeDigits = digitsOf(urlSafe)

const encode = (bytes: Uint8Array, alphabet: string): string => {
  let text = ''
  let bits = 0
  let pending = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += alphabet.charAt((pending >> bits) & 63)
    }
    pending &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet.charAt((pending << (6 - bits)) & 63)
}

const decode = (text: string, digits: ReadonlyMap<string, number>): Uint8Array => {
  if (text.length % 4 === 1) throw new SyntaxError('Not base64')
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8))
  let bits = 0
  let pending = 0
  let at = 0
  for (const character of text) {
    const digit = digits.get(character)
    if (digit === undefined) throw new SyntaxError('Not base64')
    pending = (pending << 6) | digit
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at] = pending >> bits
    at += 1
    pending &= (1 << bits) - 1
  }
  // With stray bits, one value would have several encodings.
  if (pending !== 0) throw new SyntaxError('Not base64')
  return bytes
}
