const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower case, two digits per byte. */
export const encodeHex = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += pairs[byte] ?? ''
  return text
}

export const decodeHex = (text: string): Uint8Array => {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) throw new SyntaxError('Not hexadecimal')
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16)
  return bytes
}
