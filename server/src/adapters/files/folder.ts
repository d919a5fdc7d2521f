import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync, renameSync, statSync } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import {
  assertFileName,
  type ByteRange,
  FileConflict,
  type Files,
  type Replacement,
} from '../../ports/files/files.ts'
import { flushFolder, isMissing, writeDurably, writeFlushed } from './durable-files.ts'
import { assertExpected, openFolderWriter } from './folder-writer.ts'

/**
 * Files in a folder. Processes that write the same file hold a lock of the database: `replace` compares and renames within
 * one process only.
 */
export const createFolderFiles = (path: string): Files => ({
  kind: 'folder',
  place: `the folder ${path}`,
  within: (folder) => createFolderFiles(join(path, assertFileName(folder))),
  // Synchronously: waiting for a thread, four times per file, takes longer than reading these few bytes.
  read: async (name) => unlessMissing(() => readFileSync(join(path, assertFileName(name)))),
  readRange: async (name, range) => unlessMissing(() => readSlice(join(path, assertFileName(name)), range)),
  size: async (name) => unlessMissing(() => statSync(join(path, assertFileName(name))).size),
  list: async (folder) => listFiles(path, folder),
  put: (files) => writeDurably(path, files, putOnce),
  replace: (replacement) => replaceFile(path, replacement),
  async remove(names) {
    await Promise.all(
      names.map((name) => rm(join(path, assertFileName(name)), { recursive: true, force: true })),
    )
  },
  openWriter: (_session, replaced) => openFolderWriter(path, replaced),
})

const unlessMissing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const readSlice = (file: string, { offset, length }: ByteRange): Buffer => {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(opened, bytes, 0, length, offset))
  } finally {
    closeSync(opened)
  }
}

/** Without unfinished files, and without those of a writer. */
const isFinished = (name: string): boolean => !/(?:^|\/)(?:\.|writer\.|taken-from-writer\.)/.test(name)

const listFiles = (path: string, folder = ''): readonly string[] => {
  const found = unlessMissing(() => readdirSync(join(path, folder), { recursive: true, withFileTypes: true }))
  return (found ?? [])
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
    .filter(isFinished)
    .toSorted()
}

/** A link, unlike a rename, never replaces a file. */
const putOnce = async (file: string, bytes: Uint8Array): Promise<void> => {
  const own = unfinishedBeside(file)
  try {
    await writeFlushed(own, bytes)
    await link(own, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (!readFileSync(file).equals(bytes))
      throw new FileConflict(`${file} exists with other bytes`, { cause: error })
  } finally {
    await rm(own, { force: true })
  }
}

const replaceFile = async (path: string, { name, expected, bytes }: Replacement): Promise<void> => {
  const file = join(path, assertFileName(name))
  await mkdir(dirname(file), { recursive: true })
  const own = unfinishedBeside(file)
  try {
    await writeFlushed(own, bytes)
    assertExpected(file, expected)
    renameSync(own, file)
  } finally {
    await rm(own, { force: true })
  }
  await flushFolder(dirname(file))
}

const unfinishedBeside = (file: string): string => join(dirname(file), `.${randomUUID()}`)
