import {
  assertFileName,
  type ByteRange,
  FileConflict,
  type Files,
  type NewFile,
  type Replacement,
} from '../../../ports/files/files.ts'
import { createObjects, inTurn, type Objects, tagBytes } from './objects.ts'
import { isPart, readParts, sizeOfParts } from './parts.ts'
import { type Bucket, createRequests } from './requests.ts'
import { conflict, isExpected, openS3Writer } from './writer.ts'

/** `prefix`: before all names, without a slash at its end; may be empty. */
export type S3Place = Bucket & { readonly prefix: string }

/** Files in a bucket of an S3 store that has conditional writes. */
export const createS3Files = (place: S3Place): Files => {
  const { endpoint, bucket, prefix } = place
  return filesIn(createObjects(createRequests(place)), {
    folder: prefix === '' ? '' : `${prefix}/`,
    place: `the bucket ${bucket}${prefix === '' ? '' : `/${prefix}`} at ${endpoint}`,
  })
}

const filesIn = (
  objects: Objects,
  { folder, place }: { readonly folder: string; readonly place: string },
): Files => {
  const keyOf = (name: string): string => `${folder}${assertFileName(name)}`
  return {
    kind: 's3',
    place,
    within: (name) => filesIn(objects, { folder: `${keyOf(name)}/`, place }),
    read: async (name) => readFile(objects, keyOf(name)),
    readRange: async (name, range) => readRange(objects, keyOf(name), range),
    size: async (name) => sizeOf(objects, keyOf(name)),
    async list(name) {
      const keys = await listFiles(objects, name === undefined ? folder : `${keyOf(name)}/`)
      return keys.map((key) => key.slice(folder.length)).toSorted()
    },
    async put(files) {
      const all = files.map(({ name, bytes }) => ({ name: keyOf(name), bytes }))
      await inTurn(all, (file) => putOnce(objects, file))
    },
    replace: async ({ name, ...rest }) => replaceFile(objects, { name: keyOf(name), ...rest }),
    async remove(names) {
      const keys = names.map(keyOf)
      const below = keys.flatMap((key) => [`${key}/`, `${key}.parts/`])
      const found = await Promise.all(below.map((one) => objects.list(one)))
      await objects.remove([...keys, ...found.flat().map(({ key }) => key)])
    },
    openWriter: (_session, replaced) => openS3Writer(objects, { keyOf, replaced }),
  }
}

const readFile = async (objects: Objects, key: string): Promise<Buffer | undefined> => {
  const found = await objects.read(key)
  if (found?.kind === 'absent') return undefined
  if (found?.kind !== 'parts') return found?.bytes
  return await readParts(objects, key, { offset: 0, length: await sizeOfParts(objects, key) })
}

const readRange = async (objects: Objects, key: string, range: ByteRange): Promise<Buffer | undefined> => {
  const bytes = await objects.readRange(key, range)
  if (bytes !== 'beyond') return bytes
  const found = await objects.read(key)
  if (found?.kind === 'parts') return await readParts(objects, key, range)
  return found?.kind === 'file' ? found.bytes.subarray(range.offset, range.offset + range.length) : undefined
}

const sizeOf = async (objects: Objects, key: string): Promise<number | undefined> => {
  const size = await objects.size(key)
  if (size !== 0) return size
  const kind = (await objects.read(key))?.kind
  if (kind === 'parts') return await sizeOfParts(objects, key)
  return kind === 'file' ? 0 : undefined
}

/** Names that start with a dot are those of a probe. An object without content may be no file yet. */
const listFiles = async (objects: Objects, prefix: string): Promise<readonly string[]> => {
  const keys: string[] = []
  for (const { key, size } of await objects.list(prefix)) {
    if (isPart(key) || /(?:^|\/)\./.test(key)) continue
    if (size > tagBytes || (await objects.read(key))?.kind !== 'absent') keys.push(key)
  }
  return keys
}

const putOnce = async (objects: Objects, { name, bytes }: NewFile): Promise<void> => {
  const isNew = (await objects.write(name, { kind: 'file', term: 0, bytes }, 'new')) !== undefined
  if (!isNew && (await readFile(objects, name))?.equals(bytes) !== true)
    throw new FileConflict(`${name} exists with other bytes`)
}

/** Keeps the term: a writer that has one must not get it again. */
const replaceFile = async (objects: Objects, { name, expected, bytes }: Replacement): Promise<void> => {
  const found = await objects.read(name)
  if (!isExpected(found, expected)) throw conflict(name)
  const content = { kind: 'file', term: found?.term ?? 0, bytes } as const
  if ((await objects.write(name, content, found ?? 'new')) === undefined) throw conflict(name)
}
