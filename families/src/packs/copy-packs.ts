import { packNames } from './list-packs.ts'
import { folderOf, listPackFiles, manifestOf, type PackFile, type PackFiles } from './pack-files.ts'
import { removePack } from './store-pack.ts'

/** All files of all packs, the manifest of each pack after its other files. */
export const readPacks = async function* (from: PackFiles): AsyncGenerator<PackFile> {
  const names = await listPackFiles(from)
  for (const pack of await packNames(from)) {
    const manifest = manifestOf(pack)
    const own = names.filter((name) => name.startsWith(`${folderOf(pack)}/`) && name !== manifest)
    for (const name of [...own, manifest]) {
      const bytes = await from.read(name)
      if (bytes !== undefined) yield { name, bytes }
    }
  }
}

/** Afterwards `to` has exactly the packs of `from`. Resolves with their number. */
export const copyPacks = async (from: PackFiles, to: PackFiles): Promise<number> => {
  const packs = new Set(await packNames(from))
  for (const name of await packNames(to)) if (!packs.has(name)) await removePack(name, to)
  for await (const file of readPacks(from)) await to.put([file])
  return packs.size
}
