import type { Readable } from 'node:stream'
import { because } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'

export type ByteStream = {
  /** Rejects if the stream ends before. */
  take(bytes: number): Promise<Buffer>
  skip(bytes: number): Promise<void>
}

/** Reads a stream in pieces of a wanted length, up to a limit. */
export const openByteStream = (source: Readable, maxBytes: number): ByteStream => {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let pending: Buffer = Buffer.alloc(0)
  let received = 0
  const next = async (): Promise<Buffer> => {
    const chunk = await chunks.next()
    if (chunk.done === true) throw new PackRejected([because('pack_ends_early')])
    received += chunk.value.length
    if (received > maxBytes) throw new PackRejected([because('pack_unpacks_to_too_much', { most: maxBytes })])
    return chunk.value
  }
  return {
    take: async (bytes) => {
      const parts = [pending]
      let length = pending.length
      while (length < bytes) {
        const chunk = await next()
        parts.push(chunk)
        length += chunk.length
      }
      const all = Buffer.concat(parts, length)
      pending = all.subarray(bytes)
      return all.subarray(0, bytes)
    },
    skip: async (bytes) => {
      let left = bytes - pending.length
      pending = pending.subarray(Math.min(bytes, pending.length))
      while (left > 0) {
        const chunk = await next()
        pending = chunk.subarray(Math.min(left, chunk.length))
        left -= chunk.length
      }
    },
  }
}
