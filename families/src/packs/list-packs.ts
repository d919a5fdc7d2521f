import { type PackManifest, packNamePattern } from './manifest.ts'
import { listPackFiles, manifestOf, type PackFiles } from './pack-files.ts'

/** Oldest first. */
export const listPacks = async (files: PackFiles): Promise<readonly PackManifest[]> => {
  const manifests = await Promise.all((await packNames(files)).map((name) => findPack(files, name)))
  return manifests
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => Number(a.importedAt > b.importedAt) - Number(a.importedAt < b.importedAt))
}

/** Sorted. */
export const packNames = async (files: PackFiles): Promise<readonly string[]> => {
  const names = new Set(await listPackFiles(files))
  const packs = new Set([...names].map((name) => name.split('/')[1] ?? ''))
  return [...packs].filter((pack) => packNamePattern.test(pack) && names.has(manifestOf(pack))).toSorted()
}

export const findPack = async (files: PackFiles, name: string): Promise<PackManifest | undefined> => {
  const bytes = await files.read(manifestOf(name))
  return bytes === undefined ? undefined : parse(bytes.toString('utf8'))
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
