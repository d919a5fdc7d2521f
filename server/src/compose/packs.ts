import { resolve } from 'node:path'
import { importPack, listPacks, type PackManifest } from '@millseal/families'
import type { Config } from '../config.ts'
import { systemClock } from '../ports/clock/clock.ts'

const folderOf = ({ dataDir }: Config): string => resolve(dataDir, 'packs')

/** Rejects with `PackRejected`, naming all reasons. */
export const addPackIn = (config: Config, folder: string): Promise<PackManifest> =>
  importPack({ folder, target: folderOf(config), now: new Date(systemClock.now()) })

export const listPacksIn = (config: Config): Promise<readonly PackManifest[]> => listPacks(folderOf(config))
