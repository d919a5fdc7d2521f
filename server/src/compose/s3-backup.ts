import { randomUUID } from 'node:crypto'
import { type Config, ConfigError } from '../config.ts'
import { FileConflict, type Files } from '../ports/files/files.ts'
import type { Bytes, EncryptedPlace } from './backup-files.ts'
import { openS3At } from './files.ts'

/** One request carries so much, and its attempts end after some seconds. */
const partBytes = 4 * 2 ** 20

const [startedName, completeName] = ['started', 'complete']
const partName = (number: number): string => `part-${String(number).padStart(10, '0')}`

const address = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])\/((?:[\w-][\w.-]{0,99}\/){0,9}[\w-][\w.-]{0,99})$/

export const isS3Address = (name: string): boolean => name.startsWith('s3://')

/**
 * Objects below one name: the parts, and after them one that says how many there are. A name is used once, so that no
 * backup has parts of another one.
 */
export const openS3Backup = (config: Config, name: string): EncryptedPlace => {
  const [, bucket, prefix] = address.exec(name) ?? []
  if (bucket === undefined || prefix === undefined)
    throw new ConfigError(`${name}: expected s3://bucket/name, where the name can have folders, like a/b`)
  const files = openS3At(config, { bucket, prefix, purpose: 'a backup in S3' })
  return {
    name,
    async assertFree() {
      if ((await files.list()).length > 0)
        throw new Error(`${name} exists, complete or not: choose a new name, or delete its objects`)
    },
    store: (bytes) => store(files, { name, bytes }),
    read: () => read(files, name),
  }
}

const store = async (
  files: Files,
  { name, bytes }: { readonly name: string; readonly bytes: Bytes },
): Promise<void> => {
  await files
    .put([{ name: startedName, bytes: Buffer.from(`${randomUUID()}\n`) }])
    .catch((cause: unknown) => {
      throw cause instanceof FileConflict
        ? new Error(`Another backup writes to ${name}: choose a new name`, { cause })
        : cause
    })
  const written = [startedName]
  try {
    for await (const part of inParts(bytes)) {
      const file = { name: partName(written.length), bytes: part }
      written.push(file.name)
      await files.put([file])
    }
    const complete = JSON.stringify({ parts: written.length - 1 })
    await files.put([{ name: completeName, bytes: Buffer.from(`${complete}\n`) }])
  } catch (error) {
    // The store may be gone: then its objects stay, without the last one.
    await files.remove([...written, completeName]).catch(() => {})
    throw error
  }
}

const inParts = async function* (bytes: Bytes): AsyncGenerator<Buffer> {
  let [waiting, size]: [Uint8Array[], number] = [[], 0]
  for await (const one of bytes) {
    waiting.push(one)
    size += one.length
    if (size < partBytes) continue
    yield Buffer.concat(waiting)
    ;[waiting, size] = [[], 0]
  }
  yield Buffer.concat(waiting)
}

const read = async function* (files: Files, name: string): AsyncGenerator<Buffer> {
  const complete = await files.read(completeName)
  if (complete === undefined)
    throw new Error(
      (await files.read(startedName)) === undefined
        ? `${name} is not a backup: it has no object "${completeName}"`
        : `${name} is not complete: the command that wrote it did not finish`,
    )
  const { parts } = JSON.parse(complete.toString('utf8')) as { parts: number }
  for (let number = 1; number <= parts; number += 1) {
    const part = await files.read(partName(number))
    if (part === undefined)
      throw new Error(`The backup is incomplete: ${name}/${partName(number)} is missing`)
    yield part
  }
}
