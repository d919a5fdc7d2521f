import { concatBytes } from '../encoding/bytes.ts'

/** The remaining bytes for decompressing and searching, including failed attempts. */
export type Budget = { left: number; toSearch: number }

/** Decompresses zlib data, or what a zip file has. Undefined if it is damaged or too long. */
export const inflate = async (
  data: Uint8Array,
  budget: { left: number },
  format: 'deflate' | 'deflate-raw' = 'deflate',
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const reader = new Blob([new Uint8Array(data)])
    .stream()
    .pipeThrough(new DecompressionStream(format))
    .getReader()
  const parts: Uint8Array[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return concatBytes(...parts)
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
