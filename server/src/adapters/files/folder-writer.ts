import { randomUUID } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileConflict, type FileBatch, type FilesWriter } from '../../ports/files/files.ts'
import { flushFolder, isMissing, writeDurably, writeFlushed } from './durable-files.ts'

/**
 * All files come from the staging folder of their writer: once that is removed, a previous writer that was suspended and
 * continues now can neither finish its writes nor publish.
 */
export const openFolderWriter = async (path: string, head: string): Promise<FilesWriter> => {
  await mkdir(path, { recursive: true })
  await removeStagingFolders(path)
  const stagingFolder = join(path, `${stagingPrefix}${randomUUID()}`)
  await mkdir(stagingFolder)
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rm(stagingFolder, { recursive: true, force: true }))
  const stage = async (bytes: Uint8Array): Promise<string> => {
    const own = join(stagingFolder, randomUUID())
    await writeFlushed(own, bytes)
    return own
  }
  const appended = new Map<string, Appended>()
  const opened = opening.move()
  return {
    async cut(name, length) {
      appended.set(name, opened.use(await openAppended(path, { stagingFolder, name, length })))
    },
    async prepare({ files, appended: lines, replaced }) {
      const [own] = await allDone([
        stage(replaced.bytes),
        writeDurably(path, files, async (file, bytes) => rename(await stage(bytes), file)),
        append(appended, lines),
      ])
      return {
        async publish() {
          assertExpected(join(path, head), replaced.expected)
          await rename(own, join(path, head))
          await flushFolder(path)
        },
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const assertExpected = (file: string, expected: Uint8Array | undefined): void => {
  const found = readIfThere(file)
  const isExpected =
    found === undefined || expected === undefined ? found === expected : found.equals(expected)
  if (!isExpected) throw new FileConflict(`Another process has written ${file}`)
}

const readIfThere = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

type Appended = AsyncDisposable & { append(bytes: Uint8Array): Promise<void> }

const append = async (opened: ReadonlyMap<string, Appended>, lines: FileBatch['appended']): Promise<void> => {
  if (lines === undefined) return
  const file = opened.get(lines.name)
  if (file === undefined) throw new Error(`${lines.name} was not opened for this writer`)
  await file.append(lines.bytes)
}

/** Replaces the file by a copy of itself: a previous writer that is still running appends to a file that is never read. */
const openAppended = async (
  path: string,
  {
    stagingFolder,
    name,
    length,
  }: { readonly stagingFolder: string; readonly name: string; readonly length: number },
): Promise<Appended> => {
  await using opening = new AsyncDisposableStack()
  const [there, own] = [join(path, name), join(stagingFolder, name)]
  await copyFile(there, own, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  const file = opening.use(await open(own, 'a+'))
  await file.truncate(length)
  await file.datasync()
  await rename(own, there)
  await flushFolder(path)
  const opened = opening.move()
  return {
    async append(bytes) {
      await file.appendFile(bytes)
      await file.datasync()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const stagingPrefix = 'writer.'
const removedPrefix = 'taken-from-writer.'

/** Renames before deleting: a rename is immediate, while a folder can still be written to during its deletion. */
const removeStagingFolders = async (path: string): Promise<void> => {
  for (const name of await readdir(path)) {
    if (name.startsWith(stagingPrefix))
      await rename(join(path, name), join(path, `${removedPrefix}${randomUUID()}`))
  }
  const removed = (await readdir(path)).filter((name) => name.startsWith(removedPrefix))
  await Promise.all(removed.map((name) => rm(join(path, name), { recursive: true, force: true })))
}

/** Waits for all writes before it rejects. */
const allDone = async <T extends readonly Promise<unknown>[]>(
  writes: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(writes)
  return await Promise.all(writes)
}
