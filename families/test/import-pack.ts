import type { PackCheck } from '../src/packs/check-pack.ts'
import type { PackManifest, Refusal } from '../src/packs/manifest.ts'
import type { PackFiles } from '../src/packs/pack-files.ts'
import { openPackStore } from '../src/packs/pack-store.ts'

type Import = PackCheck & { readonly target: PackFiles; readonly now: Date }

/** Checks and stores at once. */
export const importPack = async ({
  target,
  now,
  ...check
}: Import): Promise<{ readonly pack: PackManifest; readonly refused: readonly Refusal[] }> => {
  const store = openPackStore(target)
  const checked = await store.check(check)
  return { pack: await store.store(checked, now), refused: checked.refused }
}
