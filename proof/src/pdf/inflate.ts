/** The remaining bytes for decompressing and searching, including failed attempts. */
export type Budget = { left: number; toSearch: number }

/** Decompresses zlib data. Undefined if it is damaged or too long. */
export const inflate = async (data: Uint8Array, budget: Budget): Promise<Uint8Array | undefined> => {
  const reader = new Blob([new Uint8Array(data)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return join(parts, length)
      length += value.length
      budget.left -= value.length
      if (budget.left < 0) {
        await reader.cancel()
        return undefined
      }
      parts.push(value)
    }
  } catch {
    return undefined
  }
}

const join = (parts: readonly Uint8Array[], length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
