import { FileConflict, type FileBatch, type FilesWriter } from '../../../ports/files/files.ts'
import { type ObjectContent, type Objects, type StoredObject } from './objects.ts'
import { type AppendedParts, continueParts, startParts, type WriteObject } from './parts.ts'

/** Another writer may come in between, but not for ever. */
const attempts = 5

/**
 * Terms have numbers. The first act of a writer gives the file that batches replace the number of its term: from then on, a
 * previous writer can publish nothing. A file with a later number is not overwritten, one with an earlier number is what a
 * previous writer left.
 */
export const openS3Writer = async (
  objects: Objects,
  { keyOf, replaced }: { readonly keyOf: (name: string) => string; readonly replaced: string },
): Promise<FilesWriter> => {
  let head = await beginTerm(objects, keyOf(replaced))
  const { term } = head
  const write: WriteObject = (key, bytes) => overwrite(objects, key, { kind: 'file', term, bytes })
  const appended = new Map<string, AppendedParts>()
  const append = async (lines: FileBatch['appended']): Promise<void> => {
    if (lines === undefined) return
    const file = appended.get(lines.name)
    if (file === undefined) throw new Error(`${lines.name} was not opened for this writer`)
    await file.append(lines.bytes)
  }
  return {
    async cut(name, length) {
      appended.set(name, await openAppended(objects, { key: keyOf(name), length, term, write }))
    },
    async prepare({ files, appended: lines, replaced: { expected, bytes } }) {
      await allDone([append(lines), ...files.map((file) => write(keyOf(file.name), file.bytes))])
      return {
        async publish() {
          if (!isExpected(head, expected)) throw conflict(head.key)
          const content: ObjectContent = { kind: 'file', term, bytes }
          const etag = await objects.write(head.key, content, { etag: head.etag })
          if (etag === undefined) throw conflict(head.key)
          head = { ...head, ...content, etag, bytes: Buffer.from(bytes) }
        },
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

export const isExpected = (found: StoredObject | undefined, expected: Uint8Array | undefined): boolean =>
  found === undefined || found.kind === 'absent'
    ? expected === undefined
    : expected !== undefined && found.kind === 'file' && found.bytes.equals(expected)

export const conflict = (key: string): FileConflict => new FileConflict(`Another process has written ${key}`)

const beginTerm = async (objects: Objects, key: string): Promise<StoredObject & { readonly key: string }> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await objects.read(key)
    const { kind, bytes } = found ?? { kind: 'absent', bytes: Buffer.alloc(0) }
    const content = { kind, bytes, term: (found?.term ?? 0) + 1 }
    const etag = await objects.write(key, content, found === undefined ? 'new' : found)
    if (etag !== undefined) return { ...content, key, etag }
  }
  throw conflict(key)
}

/** Not what a later writer wrote. */
const overwrite = async (objects: Objects, key: string, content: ObjectContent): Promise<void> => {
  let found: StoredObject | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await objects.write(key, content, found ?? 'new')) !== undefined) return
    found = await objects.read(key)
    if (found !== undefined && found.term > content.term) throw conflict(key)
  }
  throw conflict(key)
}

type Opening = {
  readonly key: string
  readonly length: number
  readonly term: number
  readonly write: WriteObject
}

/** A file that was copied here is one object until its first writer. */
const openAppended = async (
  objects: Objects,
  { key, length, term, write }: Opening,
): Promise<AppendedParts> => {
  const found = await objects.read(key)
  if (found?.kind === 'parts') return await continueParts(objects, key, { length, write })
  const bytes = found?.bytes.subarray(0, length) ?? Buffer.alloc(0)
  if (bytes.length < length) throw new Error(`${key} has fewer than ${length} bytes`)
  const parts = await startParts(key, bytes, write)
  await overwrite(objects, key, { kind: 'parts', term, bytes: Buffer.alloc(0) })
  return parts
}

/** Waits for all writes before it rejects. */
const allDone = async (writes: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(writes)
  await Promise.all(writes)
}
