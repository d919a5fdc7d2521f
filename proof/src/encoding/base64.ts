/** RFC 4648 §4, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** RFC 4648 §5, without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Accepts only the output of `encodeBase64`: padded, no stray bits, no white space. */
export const decodeBase64 = (text: string): Uint8Array => {
  const digits = text.replace(/={1,2}$/, '')
  if (Math.ceil(digits.length / 4) * 4 !== text.length) throw new SyntaxError('Not base64')
  return decode(digits, standardValues)
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
export const decodeBase64Url = (text: string): Uint8Array => decode(text, urlValues)

const lettersAndNumbers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const noDigit = 64

/** The value of each ASCII character. */
const valuesOf = (alphabet: string): Uint8Array => {
  const values = new Uint8Array(128).fill(noDigit)
  for (const [value, digit] of [...alphabet].entries()) values[digit.charCodeAt(0)] = value
  return values
}

const standardValues = valuesOf(`${lettersAndNumbers}+/`)
const urlValues = valuesOf(`${lettersAndNumbers}-_`)

/** `atob` is lenient: one value would have several encodings. */
const decode = (text: string, values: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8))
  let written = 0
  let bits = 0
  let bitCount = 0
  for (let at = 0; at < text.length; at += 1) {
    const value = values[text.charCodeAt(at)] ?? noDigit
    if (value === noDigit) throw new SyntaxError('Not base64')
    bits = ((bits << 6) | value) & 0xff_ff
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    bytes[written++] = bits >> bitCount
  }
  const stray = bits & ((1 << bitCount) - 1)
  if (bitCount === 6 || stray !== 0) throw new SyntaxError('Not base64')
  return bytes
}
