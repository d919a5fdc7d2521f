import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { sql } from 'kysely'
import { openEmbedded } from '../../adapters/database/embedded/embedded.ts'
import { recovering, restoredWal } from '../../adapters/database/embedded/wal-spool.ts'
import { type Config, ConfigError } from '../../config.ts'
import { ensureDataFolder } from '../../config/usable-settings.ts'
import { createLog } from '../../lib/log.ts'
import type { Database } from '../../ports/database/database.ts'
import type { Files } from '../../ports/files/files.ts'
import { unarchived } from '../backup-archive.ts'
import { writeNew } from '../backup-places.ts'
import { type OnProgress, throttled } from '../backup.ts'
import { openFilesOf } from '../files.ts'
import type { LogReport } from '../log-commands.ts'
import { assertEmptyFolder } from '../restore.ts'
import { verifyRestoredLogs } from '../restored-logs.ts'
import { type Base, openWalArchive, type WalArchive } from './archive.ts'
import { assertEmbedded } from './save-base.ts'

export type RestoreToOptions = {
  /** All that was archived if undefined. */
  readonly to?: Date | undefined
  readonly onProgress: OnProgress
}

export type RestoredTo = {
  readonly base: string
  /** The time of the last transaction. Undefined if there is none after the base. */
  readonly lastChange: string | undefined
  readonly logs: readonly (readonly [Mode, LogReport])[]
  readonly problems: readonly string[]
}

const startTimeoutMs = 24 * 3_600_000

/** Needs an empty data folder, with the master key unless the settings have it. */
export const restoreTo = async (
  config: Config,
  { to, onProgress }: RestoreToOptions,
): Promise<RestoredTo> => {
  assertEmbedded(config)
  const archive = openWalArchive(config)
  const dataDir = resolve(config.dataDir)
  ensureDataFolder(config)
  await assertEmptyFolder(dataDir)
  if (config.masterKeys.length === 0 && !(await readdir(dataDir)).includes('master.key'))
    throw new ConfigError(
      `MILLSEAL_MASTER_KEY: required to decrypt the archive; or put master.key into ${dataDir}`,
    )
  const base = await findBase(archive, to)
  const cluster = join(dataDir, 'postgres')
  await extractBase({ archive, base, cluster, onProgress })
  await fetchSegments({ archive, base, cluster, onProgress })
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  onProgress('replaying the changes after the base')
  const restored = await recover(config, { dataDir, base, to, onProgress })
  await rm(join(cluster, restoredWal), { recursive: true })
  return restored
}

const findBase = async (archive: WalArchive, to: Date | undefined): Promise<Base> => {
  const bases = await archive.bases()
  const base = bases.findLast(({ stoppedAt }) => to === undefined || new Date(stoppedAt) <= to)
  if (base !== undefined) return base
  const [oldest] = bases
  throw new Error(
    oldest === undefined
      ? `There is no base in ${archive.place}: save one with millseal wal save-base`
      : `The oldest base in ${archive.place} is of ${oldest.stoppedAt}: choose a later time`,
  )
}

type Restoring = {
  readonly archive: WalArchive
  readonly base: Base
  readonly cluster: string
  readonly onProgress: OnProgress
}

const extractBase = async ({ archive, base, cluster, onProgress }: Restoring): Promise<void> => {
  const report = throttled(onProgress)
  await mkdir(cluster, { mode: 0o700 })
  let [files, last] = [0, '']
  for await (const { path, content } of unarchived(archive.parts(base))) {
    files += 1
    last = path
    report(`restoring the base: ${files} files`)
    if (path.endsWith('/')) await mkdir(join(cluster, path), { mode: 0o700 })
    else await writeNew(join(cluster, path), content)
  }
  // The last file of every base. Without it, PostgreSQL would not know where to begin.
  if (last !== 'backup_label') throw new Error(`The base of ${base.stoppedAt} has no end`)
}

/** Those of the base and all after it, of every timeline, and the histories of the timelines. */
const fetchSegments = async ({ archive, base, cluster, onProgress }: Restoring): Promise<void> => {
  const report = throttled(onProgress)
  const folder = join(cluster, restoredWal)
  await mkdir(folder, { mode: 0o700 })
  for (const name of await archive.segments()) {
    if (!name.endsWith('.history') && name.slice(8) < base.firstSegment.slice(8)) continue
    report(`restoring the segment ${name}`)
    await writeFile(join(folder, name), (await archive.readSegment(name)) ?? '', { mode: 0o600 })
  }
}

type Recovery = Pick<Restoring, 'base' | 'onProgress'> & {
  readonly dataDir: string
  readonly to: Date | undefined
}

const recover = async (config: Config, { dataDir, base, to, onProgress }: Recovery): Promise<RestoredTo> => {
  await using database = await openEmbedded({
    dataDir,
    applicationName: 'millseal command',
    maxConnections: 4,
    log: createLog('silent'),
    settings: recovering(to),
    // The new timeline begins in the archive, once a server runs with it.
    archivesWal: true,
    startTimeoutMs,
  }).catch((cause: unknown) => {
    if (!/recovery ended before configured recovery target/.test(String(cause))) throw cause
    throw new Error('The archive ends before that time: choose an earlier time, or omit --to', { cause })
  })
  onProgress('verifying the logs')
  const { rows } = await sql<{ last: Date | null }>`
    select pg_last_xact_replay_timestamp() as last`.execute(database.query)
  const logs = await verifiedLogs(await openFilesOf(config, database), database)
  return {
    base: base.stoppedAt,
    lastChange: rows[0]?.last?.toISOString(),
    logs,
    problems: logs.flatMap(([, { problems }]) => problems),
  }
}

const verifiedLogs = async (files: Files, database: Database): Promise<RestoredTo['logs']> => {
  const sizes: Partial<Record<Mode, number>> = {}
  for (const mode of modes) {
    const checkpoint = await files.within(mode).read('checkpoint')
    if (checkpoint !== undefined) sizes[mode] = Number(checkpoint.toString('utf8').split('\n')[1])
  }
  return await verifyRestoredLogs(files, database, { logs: sizes })
}
