import { join } from 'node:path'
import { makePrivate } from './private-folder.ts'

/** Where PostgreSQL puts finished segments of its write-ahead log, until they are archived. */
export const walSpoolOf = (dataDir: string): string => join(dataDir, 'wal')

/** PostgreSQL must own it. */
export const prepareWalSpool = async (dataDir: string, owner: number | undefined): Promise<string> => {
  const path = walSpoolOf(dataDir)
  await makePrivate(path, owner)
  return path
}

const maxAgeSeconds = 60

/**
 * A segment gets its name there when it is on disk. After a crash, PostgreSQL may pass on one again. It needs no setting and
 * no secret of ours.
 */
export const archivingTo = (spool: string): Record<string, string> => {
  const [unfinished, finished] = [shellWord(spool, '.%f'), shellWord(spool, '%f')]
  const copy = `cp %p ${unfinished} && sync ${unfinished} && mv ${unfinished} ${finished} && sync ${shellWord(spool, '')}`
  return {
    archive_mode: 'on',
    archive_command: `if test -e ${finished}; then cmp %p ${finished}; else ${copy}; fi`,
    archive_timeout: String(maxAgeSeconds),
  }
}

/** In the folder of the cluster, in which PostgreSQL runs commands. */
export const restoredWal = 'restored_wal'

/** Recovers a base backup from the segments in that folder: up to this time, or with all of them. */
export const recovering = (to: Date | undefined): Record<string, string> => ({
  restore_command: `cp ${restoredWal}/%f %p`,
  ...(to === undefined ? {} : { recovery_target_time: timeOf(to), recovery_target_action: 'promote' }),
})

/** This setting refuses the letter Z. */
const timeOf = (time: Date): string => time.toISOString().replace('Z', '+00')

/** PostgreSQL replaces % and a letter. */
const shellWord = (folder: string, name: string): string =>
  `'${folder.replaceAll('%', '%%').replaceAll("'", "'\\''")}/${name}'`
