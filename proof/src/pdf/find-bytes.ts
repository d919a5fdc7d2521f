export type Needle = { readonly bytes: Uint8Array; readonly skips: Uint8Array }

/** For short ASCII texts. */
export const needle = (text: string): Needle => {
  const bytes = new TextEncoder().encode(text)
  const skips = new Uint8Array(256).fill(bytes.length)
  for (const [at, byte] of bytes.subarray(0, -1).entries()) skips[byte] = bytes.length - 1 - at
  return { bytes, skips }
}

/** The next position of a text, or -1 (Boyer-Moore-Horspool, which skips most bytes). */
export const findBytes = (haystack: Uint8Array, { bytes, skips }: Needle, from: number): number => {
  const last = bytes.length - 1
  for (let at = from; at + last < haystack.length; at += skips[haystack[at + last] ?? 0] ?? 1) {
    let matched = last
    while (matched >= 0 && haystack[at + matched] === bytes[matched]) matched -= 1
    if (matched < 0) return at
  }
  return -1
}
