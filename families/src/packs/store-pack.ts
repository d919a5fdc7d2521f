import type { CheckedPack } from './check-pack.ts'
import { findPack } from './list-packs.ts'
import { type PackManifest, packNamePattern } from './manifest.ts'
import { folderOf, inPack, manifestOf, type PackFiles } from './pack-files.ts'

/** So that no statement or request has all bytes of a pack. */
const filesAtOnce = 16

/** The name of a pack is a digest of its content, so a second import of the same schemas changes nothing. */
export const storePack = async (
  { name, files: contents, schemas }: CheckedPack,
  { files, now }: { readonly files: PackFiles; readonly now: Date },
): Promise<PackManifest> => {
  const known = await findPack(files, name)
  if (known !== undefined) return known
  const manifest: PackManifest = { packVersion: 1, name, importedAt: now.toISOString(), schemas }
  const all = [...contents].map(([path, bytes]) => ({ name: inPack(name, path), bytes }))
  for (let at = 0; at < all.length; at += filesAtOnce) await files.put(all.slice(at, at + filesAtOnce))
  await files.put([{ name: manifestOf(name), bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) }])
  return manifest
}

/** Also removes what an interrupted import or removal left. */
export const removePack = async (name: string, files: PackFiles): Promise<boolean> => {
  if (!packNamePattern.test(name)) return false
  const exists = (await findPack(files, name)) !== undefined
  if (exists) await files.remove([manifestOf(name)])
  await files.remove([folderOf(name)])
  return exists
}
