/** RFC 4648 §4, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** RFC 4648 §5, without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => toUrl(encodeBase64(bytes))

const toUrl = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Accepts only the output of `encodeBase64`: padded, no stray bits, no white space. */
export const decodeBase64 = (text: string): Uint8Array => decode(text, text, (again) => again)

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
  decode(text, text.replaceAll('-', '+').replaceAll('_', '/'), toUrl)

/** `atob` is lenient: one value would have several encodings. */
const decode = (text: string, standard: string, written: (again: string) => string): Uint8Array => {
  let binary: string | undefined
  try {
    binary = atob(standard)
  } catch {
    // Reported below.
  }
  if (binary === undefined || written(btoa(binary)) !== text) throw new SyntaxError('Not base64')
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}
