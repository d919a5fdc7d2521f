import { type ByteRange } from '../../../ports/files/files.ts'
import { type Objects, tagBytes } from './objects.ts'

/**
 * Objects cannot be appended to. So the content of a file that grows is in objects of this size, of which only the last is
 * written again. A full one is always followed by another; what comes after one that is not full is not part of the file.
 */
const partBytes = 32_768

const partKey = (key: string, number: number): string => `${key}.parts/${String(number).padStart(10, '0')}`
export const isPart = (key: string): boolean => /\.parts\/\d{10}$/.test(key)

export const sizeOfParts = async (objects: Objects, key: string): Promise<number> => {
  const sizes = new Map((await objects.list(`${key}.parts/`)).map((part) => [part.key, part.size - tagBytes]))
  let size = 0
  for (let number = 0; ; number += 1) {
    const one = sizes.get(partKey(key, number)) ?? 0
    size += one
    if (one < partBytes) return size
  }
}

export const readParts = async (objects: Objects, key: string, range: ByteRange): Promise<Buffer> => {
  const first = Math.floor(range.offset / partBytes)
  const end = range.offset + range.length
  const numbers = Array.from({ length: Math.ceil(end / partBytes) - first }, (_, at) => first + at)
  const found = await Promise.all(numbers.map((number) => objects.read(partKey(key, number))))
  const parts: Buffer[] = []
  for (const part of found) {
    if (part !== undefined) parts.push(part.bytes)
    if (part === undefined || part.bytes.length < partBytes) break
  }
  const start = first * partBytes
  return Buffer.concat(parts).subarray(range.offset - start, end - start)
}

export type WriteObject = (key: string, bytes: Uint8Array) => Promise<void>
export type AppendedParts = { append(bytes: Uint8Array): Promise<void> }

/** From now on the file has this content, and `append` continues it. The parts before `from` have theirs already. */
const openParts = async (
  key: string,
  { from, bytes, write }: { readonly from: number; readonly bytes: Buffer; readonly write: WriteObject },
): Promise<AppendedParts> => {
  let [number, last] = [from, Buffer.alloc(0)]
  const append = async (added: Uint8Array): Promise<void> => {
    let rest = Buffer.concat([last, added])
    for (; rest.length >= partBytes; number += 1) {
      await write(partKey(key, number), rest.subarray(0, partBytes))
      rest = rest.subarray(partBytes)
    }
    // Also if it is empty: what an earlier writer left there would follow a full part.
    await write(partKey(key, number), rest)
    last = rest
  }
  await append(bytes)
  return { append }
}

/** Continues parts after `length` bytes. */
export const continueParts = async (
  objects: Objects,
  key: string,
  { length, write }: { readonly length: number; readonly write: WriteObject },
): Promise<AppendedParts> => {
  const from = Math.floor(length / partBytes)
  const range = { offset: from * partBytes, length: length - from * partBytes }
  const bytes = await readParts(objects, key, range)
  if (bytes.length < range.length) throw new Error(`${key} has fewer than ${length} bytes`)
  return await openParts(key, { from, bytes, write })
}

export const startParts = (key: string, bytes: Buffer, write: WriteObject): Promise<AppendedParts> =>
  openParts(key, { from: 0, bytes, write })
