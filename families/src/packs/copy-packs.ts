import { listPacks } from './list-packs.ts'
import { folderOf, listPackFiles, manifestOf, type PackFiles } from './pack-files.ts'
import { removePack } from './store-pack.ts'

/** Afterwards `to` has exactly the packs of `from`. Resolves with their number. */
export const copyPacks = async (from: PackFiles, to: PackFiles): Promise<number> => {
  const packs = new Set((await listPacks(from)).map(({ name }) => name))
  for (const { name } of await listPacks(to)) if (!packs.has(name)) await removePack(name, to)
  const names = await listPackFiles(from)
  for (const pack of packs) {
    const manifest = manifestOf(pack)
    const own = names.filter((name) => name.startsWith(`${folderOf(pack)}/`) && name !== manifest)
    for (const name of [...own, manifest]) {
      const bytes = await from.read(name)
      if (bytes !== undefined) await to.put([{ name, bytes }])
    }
  }
  return packs.size
}
