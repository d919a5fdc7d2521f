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
export const decodeBase64 = (text: string): Uint8Array => decode(text, text, encodeBase64)

/** Undefined if the text is not the output of `encodeBase64`. */
export const tryDecodeBase64 = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase64(text)
  } catch {
    return undefined
  }
}

/** Accepts only the output of `encodeBase64Url`. */
export const decodeBase64Url = (text: string): Uint8Array =>
  decode(text, text.replaceAll('-', '+').replaceAll('_', '/'), encodeBase64Url)

/** `atob` is lenient: one value would have several encodings. */
const decode = (text: string, standard: string, encode: (bytes: Uint8Array) => string): Uint8Array => {
  let bytes: Uint8Array | undefined
  try {
    bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
  } catch {
    // Reported below.
  }
  if (bytes === undefined || encode(bytes) !== text) throw new SyntaxError('Not base64')
  return bytes
}
