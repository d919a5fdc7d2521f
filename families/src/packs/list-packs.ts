import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackManifest, packNamePattern } from './manifest.ts'

/** The packs in a folder, in the order of their import; none if the folder does not exist. */
export const listPacks = async (target: string): Promise<readonly PackManifest[]> => {
  const manifests = await Promise.all((await packNames(target)).map((name) => findPack(target, name)))
  return manifests
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => (a.importedAt === b.importedAt ? 0 : a.importedAt < b.importedAt ? -1 : 1))
}

export const packNames = async (target: string): Promise<readonly string[]> =>
  (await readdir(target).catch(noSuchFolder)).filter((name) => packNamePattern.test(name)).toSorted()

const noSuchFolder = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

export const findPack = async (target: string, name: string): Promise<PackManifest | undefined> => {
  const text = await readFile(join(target, name, 'manifest.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parse(text)
}

/** Undefined if the import did not write this text. */
const parse = (text: string): PackManifest | undefined => {
  try {
    const manifest = JSON.parse(text) as PackManifest
    return manifest.packVersion === 1 && Array.isArray(manifest.schemas) ? manifest : undefined
  } catch {
    return undefined
  }
}
