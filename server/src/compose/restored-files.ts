import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Files, NewFile } from '../ports/files/files.ts'
import type { OnProgress } from './backup.ts'
import { type BackupFile, databaseFolder, dataFolder, manifestName } from './backup-files.ts'
import { writeNew } from './backup-places.ts'
import { logFolder } from './files.ts'

/** The number of files that are written and flushed together. */
const batchFiles = 64

type Split = {
  readonly tables: AsyncIterable<BackupFile>
  /** Is read after all tables. */
  readonly others: AsyncIterable<BackupFile>
}

export const tablesFirst = (files: AsyncIterable<BackupFile>): Split => {
  const source = files[Symbol.asyncIterator]()
  let first: BackupFile | undefined
  return {
    tables: (async function* () {
      for (let next = await source.next(); next.done !== true; next = await source.next()) {
        first = next.value
        if (!first.path.startsWith(`${databaseFolder}/`)) return
        yield first
      }
    })(),
    others: (async function* () {
      if (first !== undefined) yield first
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
    })(),
  }
}

/** Logs and imported schemas where `MILLSEAL_FILES` says, everything else in the data folder. */
export const storeFiles = async (
  files: AsyncIterable<BackupFile>,
  {
    root,
    dataDir,
    onProgress,
  }: { readonly root: Files; readonly dataDir: string; readonly onProgress: OnProgress },
): Promise<void> => {
  let batch: NewFile[] = []
  onProgress('restoring files')
  for await (const { path, content } of files) {
    if (path === manifestName) continue
    const name = path.slice(dataFolder.length + 1)
    if (!isShared(name)) {
      await writeNew(join(dataDir, name), content)
      continue
    }
    batch.push({ name, bytes: await buffer(content) })
    if (batch.length < batchFiles) continue
    await root.put(batch)
    batch = []
  }
  await root.put(batch)
}

const isShared = (name: string): boolean => name.startsWith(`${logFolder}/`) || name.startsWith('packs/')
