import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'
import { type Collector, isSkippedFolder, offerLimits, startCollecting } from './collector.ts'
import { isArchiveName, readArchiveFile } from './read-archive.ts'

/**
 * Reads the wanted files of a folder, and of the archives directly in it. An archive that cannot be read is refused as a
 * whole. Links are not followed.
 */
export const readFolder = async (folder: string, collector: Collector): Promise<void> => {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile() && isArchiveName(entry.name)) {
      await addArchive(path, entry.name, collector)
    } else await readEntry(folder, entry, { path: entry.name, collector })
  }
}

/** Its content counts against the limits of the folder, too. */
const addArchive = async (path: string, name: string, collector: Collector): Promise<void> => {
  const archive = startCollecting()
  try {
    await readArchiveFile(path, archive, `${name}/`)
  } catch (error) {
    if (!(error instanceof PackRejected)) throw error
    collector.refuse({ file: name, reasons: error.reasons })
    return
  }
  for (const [file, content] of archive.offered.files) {
    if (collector.wants({ path: file, bytes: content.length, isFile: true })) collector.add(file, content)
  }
  for (const [file, reason] of archive.offered.unusable) collector.reject(file, reason)
}

const readEntry = async (
  root: string,
  entry: Dirent,
  { path, collector }: { readonly path: string; readonly collector: Collector },
): Promise<void> => {
  if (entry.isDirectory()) {
    if (isSkippedFolder(entry.name) || path.split('/').length >= offerLimits.depth) return
    for (const inner of await entriesOf(join(root, path))) {
      await readEntry(root, inner, { path: `${path}/${inner.name}`, collector })
    }
    return
  }
  const file = join(root, path)
  const { size } = await lstat(file)
  if (collector.wants({ path, bytes: size, isFile: entry.isFile() }))
    collector.add(path, await readFile(file))
}

const entriesOf = async (folder: string) => {
  const entries = await readdir(folder, { withFileTypes: true })
  if (entries.length > offerLimits.entries) {
    throw new PackRejected([because('pack_has_too_many_files', { most: offerLimits.entries })])
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
