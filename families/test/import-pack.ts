import type { PackCheck } from '../src/packs/check-pack.ts'
import type { PackManifest, Refusal } from '../src/packs/manifest.ts'
import { openPackFolder } from '../src/packs/pack-folder.ts'

type Import = PackCheck & { readonly target: string; readonly now: Date }

/** Checks and stores at once. */
export const importPack = async ({
  target,
  now,
  ...check
}: Import): Promise<{ readonly pack: PackManifest; readonly refused: readonly Refusal[] }> => {
  const folder = openPackFolder(target)
  const checked = await folder.check(check)
  return { pack: await folder.store(checked, now), refused: checked.refused }
}
