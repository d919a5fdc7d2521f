import { readFile } from 'node:fs/promises'
import { NotDecryptable } from '../lib/encrypted-stream.ts'
import { Secret } from '../lib/secret.ts'
import type { BackupFile, Bytes } from './backup-files.ts'

const fewestCharacters = 16

/** The first line of the file. */
export const readKeyFile = async (path: string): Promise<Secret> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`The key file ${path} cannot be read`, { cause })
  })
  const key = text.split('\n', 1)[0]?.trim() ?? ''
  if (key.length < fewestCharacters)
    throw new Error(
      `The first line of ${path} must have at least ${fewestCharacters} characters: openssl rand -base64 32`,
    )
  return new Secret(key)
}

const lengthBytes = 4

/**
 * All files one after the other: a line with the path, then parts with their lengths before them, then a length of zero. So
 * a file is written before its size is known.
 */
export const archived = async function* (files: AsyncIterable<BackupFile>): AsyncGenerator<Uint8Array> {
  for await (const { path, content } of files) {
    yield Buffer.from(`${JSON.stringify({ path })}\n`)
    for await (const part of content) {
      if (part.length === 0) continue
      yield lengthOf(part.length)
      yield part
    }
    yield lengthOf(0)
  }
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(bytes)
  return length
}

/** The files that `archived` wrote. What is not read of a file is skipped. */
export const unarchived = async function* (source: Bytes): AsyncGenerator<BackupFile> {
  const reader = readerOf(source[Symbol.asyncIterator]())
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const { path } = JSON.parse(line) as { path: string }
    const content = reader.parts()
    yield { path, content: withoutReturn(content) }
    for (let next = await content.next(); next.done !== true; ) next = await content.next()
  }
}

/** A reader that stops early does not end the generator, which then skips the rest. */
const withoutReturn = (content: AsyncGenerator<Buffer>): AsyncIterable<Buffer> => ({
  [Symbol.asyncIterator]: () => ({ next: () => content.next() }),
})

const readerOf = (source: AsyncIterator<Uint8Array>) => {
  let waiting: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const next = await source.next()
    if (next.done === true) return false
    waiting = Buffer.concat([waiting, next.value])
    return true
  }
  const take = async (count: number): Promise<Buffer> => {
    while (waiting.length < count) if (!(await more())) throw new NotDecryptable('ends too early')
    const taken = waiting.subarray(0, count)
    waiting = waiting.subarray(count)
    return taken
  }
  return {
    /** Undefined at the end. */
    async line(): Promise<string | undefined> {
      while (!waiting.includes(10)) if (!(await more())) return undefined
      const text = (await take(waiting.indexOf(10) + 1)).toString('utf8')
      return text
    },
    async *parts(): AsyncGenerator<Buffer> {
      for (;;) {
        const length = (await take(lengthBytes)).readUInt32BE()
        if (length === 0) return
        yield await take(length)
      }
    },
  }
}
