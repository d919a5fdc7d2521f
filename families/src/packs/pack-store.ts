import { type CheckedPack, checkPack, type PackCheck } from './check-pack.ts'
import { listPacks } from './list-packs.ts'
import type { PackManifest } from './manifest.ts'
import type { PackFiles } from './pack-files.ts'
import { removePack, storePack } from './store-pack.ts'

/** The imported packs of an installation. The caller lets one of `store` and `remove` run at a time. */
export type PackStore = {
  /** Reads and checks; stores nothing. Rejects with `PackRejected` if nothing can be imported. */
  check(check: PackCheck): Promise<CheckedPack>
  /** Idempotent: the same schemas are the same pack. If it is interrupted, there is no new pack. */
  store(pack: CheckedPack, now: Date): Promise<PackManifest>
  /** Oldest first. */
  list(): Promise<readonly PackManifest[]>
  /** False if there is no pack with this name. */
  remove(name: string): Promise<boolean>
}

export const openPackStore = (files: PackFiles): PackStore => ({
  check: checkPack,
  store: (pack, now) => storePack(pack, { files, now }),
  list: () => listPacks(files),
  remove: (name) => removePack(name, files),
})
