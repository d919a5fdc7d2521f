import { resolve } from 'node:path'
import { walSpoolOf } from '../adapters/database/embedded/wal-spool.ts'
import type { Config } from '../config.ts'
import { passed, type Result, warning } from './doctor-finding.ts'
import { openWalArchive } from './wal/archive.ts'
import { longestWait } from './wal/ship.ts'

const maxWaitSeconds = 300

/** Rejects if the archive cannot be read. */
export const checkWalArchive = async (config: Config): Promise<Result> => {
  const archive = openWalArchive(config)
  const newest = (await archive.bases()).at(-1)
  const waited = Math.floor(await longestWait(walSpoolOf(resolve(config.dataDir))))
  if (waited > maxWaitSeconds)
    return warning(
      `A segment has waited for ${waited} s to be archived in ${archive.place}: see the log of the server`,
    )
  return newest === undefined
    ? warning(`There is no base in ${archive.place}, so nothing can be restored: run millseal wal save-base`)
    : passed(`Every second after ${newest.stoppedAt} can be restored from ${archive.place}`)
}
