import { type CheckedPack, checkPack, type PackCheck } from './check-pack.ts'
import { listPacks } from './list-packs.ts'
import type { PackManifest } from './manifest.ts'
import { removePack, storePack } from './store-pack.ts'

/** The imported packs of an installation. Several processes may share the folder. */
export type PackFolder = {
  /** Reads and checks; stores nothing. Rejects with `PackRejected` if nothing can be imported. */
  check(check: PackCheck): Promise<CheckedPack>
  /** Idempotent: the same schemas are the same pack. */
  store(pack: CheckedPack, now: Date): Promise<PackManifest>
  /** Oldest first. */
  list(): Promise<readonly PackManifest[]>
  /** False if there is no pack with this name. */
  remove(name: string): Promise<boolean>
}

export const openPackFolder = (target: string): PackFolder => ({
  check: checkPack,
  store: (pack, now) => storePack(pack, { target, now }),
  list: () => listPacks(target),
  remove: (name) => removePack(name, target),
})
