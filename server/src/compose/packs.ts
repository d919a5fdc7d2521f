import { resolve } from 'node:path'
import {
  importPack,
  listPacks,
  type PackManifest,
  type PackReport,
  type Progress,
  removePack,
} from '@millseal/families'
import type { Config } from '../config.ts'
import { systemClock } from '../ports/clock/clock.ts'

/** All processes share the data folder, so each finds a pack that another one imported. */
export const packFolderOf = ({ dataDir }: Config): string => resolve(dataDir, 'packs')

/** Rejects with `PackRejected` if nothing can be imported. */
export const addPackIn = (
  config: Config,
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<PackReport> =>
  importPack({
    offer: { path },
    target: packFolderOf(config),
    now: new Date(systemClock.now()),
    onProgress,
  })

export const listPacksIn = (config: Config): Promise<readonly PackManifest[]> =>
  listPacks(packFolderOf(config))

export const removePackIn = (config: Config, name: string): Promise<boolean> =>
  removePack({ name, target: packFolderOf(config) })
