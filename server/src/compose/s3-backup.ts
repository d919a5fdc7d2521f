import { randomUUID } from 'node:crypto'
import { type Config, ConfigError } from '../config.ts'
import { s3Address } from '../config/s3-settings.ts'
import { FileConflict, type Files } from '../ports/files/files.ts'
import type { Bytes, EncryptedPlace } from './backup-files.ts'
import { openS3At } from './files.ts'

/** One request carries so much, and its attempts end after some seconds. */
const partBytes = 4 * 2 ** 20

const stateName = 'state'
const partNames = /^part-[\da-f-]{36}-\d{10}$/

/** A backup without the number of its parts is not complete. */
type State = { readonly writer: string; readonly parts?: number }

const partName = (writer: string, number: number): string =>
  `part-${writer}-${String(number).padStart(10, '0')}`
const bytesOf = (state: State): Buffer => Buffer.from(`${JSON.stringify(state)}\n`)
const parseState = (bytes: Buffer): State => JSON.parse(bytes.toString('utf8')) as State

export const isS3Address = (name: string): boolean => name.startsWith('s3://')

/** In the store of the settings. */
export const openS3Address = (config: Config, name: string, purpose: string): Files => {
  const [, bucket, prefix] = s3Address.exec(name) ?? []
  if (bucket === undefined || prefix === undefined)
    throw new ConfigError(`${name}: expected s3://bucket/name, where the name can have folders, like a/b`)
  return openS3At(config, { bucket, prefix, purpose })
}

/** In `files`, with a name for people. `clean`: take the place of a backup that was not completed. */
type Place = { readonly files: Files; readonly name: string; readonly clean: boolean }

/**
 * Objects below one name: the parts, and one with the state. The parts have the id of the command that writes them, and the
 * backup is complete when that command replaces its own state. So no backup has parts of another, nor lacks one.
 */
export const openS3Backup = (
  config: Config,
  { name, clean = false }: { readonly name: string; readonly clean?: boolean | undefined },
): EncryptedPlace => {
  const files = openS3Address(config, name, 'a backup in S3')
  const place = { files, name, clean }
  return {
    name,
    assertFree: () => assertFree(place),
    store: (bytes) => store(place, bytes),
    read: () => read(place),
  }
}

const assertFree = async ({ files, name, clean }: Place): Promise<void> => {
  const names = await files.list()
  const other = names.find((one) => one !== stateName && !partNames.test(one))
  if (other !== undefined)
    throw new Error(`${name} has objects that are not of a backup (${other}): choose a new name`)
  const state = await files.read(stateName)
  if (state !== undefined && parseState(state).parts !== undefined)
    throw new Error(`${name} exists: choose a new name, or delete its objects`)
  if (names.length > 0 && !clean)
    throw new Error(
      `${name} has an unfinished backup: choose a new name, or use --clean if its command does not run any more`,
    )
}

const store = async (place: Place, bytes: Bytes): Promise<void> => {
  const { files } = place
  const writer = randomUUID()
  const own = bytesOf({ writer })
  const expected = place.clean ? await files.read(stateName) : undefined
  await replaceState(place, expected, own)
  const written: string[] = []
  try {
    if (place.clean) await files.remove((await files.list()).filter((name) => partNames.test(name)))
    for await (const part of inParts(bytes)) {
      const file = { name: partName(writer, written.length + 1), bytes: part }
      written.push(file.name)
      await files.put([file])
    }
    await replaceState(place, own, bytesOf({ writer, parts: written.length }))
  } catch (error) {
    // The store may be gone: then its objects stay until a backup with --clean.
    await removeOwn(place, { written, own }).catch(() => {})
    throw error
  }
}

const replaceState = async (
  { files, name }: Place,
  expected: Buffer | undefined,
  bytes: Buffer,
): Promise<void> => {
  await files.replace({ name: stateName, expected, bytes }).catch((cause: unknown) => {
    throw cause instanceof FileConflict
      ? new Error(`Another command writes a backup to ${name}: choose a new name`, { cause })
      : cause
  })
}

/** Not the state of a command that took the place of this one. */
const removeOwn = async (
  { files }: Place,
  { written, own }: { readonly written: readonly string[]; readonly own: Buffer },
): Promise<void> => {
  await files.remove(written)
  if ((await files.read(stateName))?.equals(own) === true) await files.remove([stateName])
}

/** Of a size that one request carries. */
export const inParts = async function* (bytes: Bytes): AsyncGenerator<Buffer> {
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

const read = async function* ({ files, name }: Place): AsyncGenerator<Buffer> {
  const state = await files.read(stateName)
  if (state === undefined) throw new Error(`${name} is not a backup: it has no object "${stateName}"`)
  const { writer, parts } = parseState(state)
  if (parts === undefined)
    throw new Error(`${name} is not complete: the command that wrote it did not finish`)
  for (let number = 1; number <= parts; number += 1) {
    const part = await files.read(partName(writer, number))
    if (part === undefined)
      throw new Error(`The backup is incomplete: ${name}/${partName(writer, number)} is missing`)
    yield part
  }
}
