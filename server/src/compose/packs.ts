import { inEnglish } from '@millseal/contract/reasons'
import { openPackStore, type PackManifest, type Progress } from '@millseal/families'
import { lockFolder } from '../adapters/files/lock-folder.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database, Query } from '../ports/database/database.ts'
import type { Packs } from '../services/certificate/index.ts'
import { openForCommand } from './commands.ts'
import { openFilesOf, openRoot } from './files.ts'

export const openPacks = (config: Config, { query }: Database): Packs => {
  const storeOn = (connection: Query) => openPackStore(openRoot(config, connection))
  const { check, list } = storeOn(query)
  return {
    check,
    list,
    async store(tx, pack, now) {
      await lockFolder(tx, 'packs')
      return await storeOn(tx).store(pack, now)
    },
    async remove(tx, name) {
      await lockFolder(tx, 'packs')
      return await storeOn(tx).remove(name)
    },
  }
}

/** `refused` was not imported. */
export type ImportedPack = {
  readonly pack: PackManifest
  readonly refused: readonly { readonly file: string; readonly reasons: readonly string[] }[]
}

/** Rejects with `PackRejected` if nothing can be imported. */
export const addPackIn = async (
  config: Config,
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<ImportedPack> => {
  await using opened = await openForPacks(config)
  const { packs, database } = opened
  const checked = await packs.check({ offer: { path }, onProgress })
  const now = new Date(systemClock.now())
  const pack = await database.transaction((tx) => packs.store(tx, checked, now))
  const refused = checked.refused.map(({ file, reasons }) => ({ file, reasons: reasons.map(inEnglish) }))
  return { pack, refused }
}

/** False if there is no pack with this name. */
export const removePackIn = async (config: Config, name: string): Promise<boolean> => {
  await using opened = await openForPacks(config)
  const { packs, database } = opened
  return await database.transaction((tx) => packs.remove(tx, name))
}

/** Oldest first. */
export const listPacksIn = async (config: Config): Promise<readonly PackManifest[]> => {
  await using opened = await openForPacks(config)
  return await opened.packs.list()
}

const openForPacks = async (config: Config) => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openForCommand(config, createLog('silent')))
  // Rejects if the files are in another place.
  await openFilesOf(config, database)
  const opened = opening.move()
  return {
    database,
    packs: openPacks(config, database),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
