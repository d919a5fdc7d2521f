import { resolve } from 'node:path'
import {
  openPackFolder,
  type PackFolder,
  type PackManifest,
  type Progress,
  type Refusal,
} from '@millseal/families'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { systemClock } from '../ports/clock/clock.ts'

export const packPath = ({ dataDir }: Config): string => resolve(dataDir, 'packs')

/** All processes share the data folder, so each finds a pack that another one imported. */
export const openPacks = (config: Config): PackFolder => openPackFolder(packPath(config))

/** `refused` was not imported. */
export type ImportedPack = { readonly pack: PackManifest; readonly refused: readonly Refusal[] }

/** Rejects with `PackRejected` if nothing can be imported. */
export const addPackIn = async (
  config: Config,
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<ImportedPack> => {
  ensureDataFolder(config)
  const packs = openPacks(config)
  const checked = await packs.check({ offer: { path }, onProgress })
  return { pack: await packs.store(checked, new Date(systemClock.now())), refused: checked.refused }
}
