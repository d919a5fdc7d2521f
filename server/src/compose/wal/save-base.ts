import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { saveCluster, type SavedCluster } from '../../adapters/database/embedded/base-backup.ts'
import { type Config, ConfigError } from '../../config.ts'
import { createLog } from '../../lib/log.ts'
import { archived } from '../backup-archive.ts'
import { type OnProgress, throttled } from '../backup.ts'
import type { BackupFile } from '../backup-files.ts'
import { openForCommand } from '../commands.ts'
import { inParts } from '../s3-backup.ts'
import { type Base, openWalArchive, type WalArchive } from './archive.ts'

export type BaseOptions = {
  /** The number of bases to keep, with this one. All if undefined. */
  readonly keep?: number | undefined
  readonly onProgress: OnProgress
}

export type SavedBase = Base & {
  readonly place: string
  readonly bytes: number
  readonly removedBases: number
  readonly removedSegments: number
}

/** Saves the embedded database beside a running server. From its end on, every second can be restored. */
export const saveBase = async (config: Config, { keep, onProgress }: BaseOptions): Promise<SavedBase> => {
  assertEmbedded(config)
  const archive = openWalArchive(config)
  await using database = await openForCommand(config, createLog('silent'))
  const [id, earlier] = [randomUUID(), await archive.baseIds()]
  let cluster: SavedCluster | undefined
  const files = (async function* (): AsyncGenerator<BackupFile> {
    cluster = yield* saveCluster(database.connection, join(resolve(config.dataDir), 'postgres'))
  })()
  let [parts, bytes] = [0, 0]
  const report = throttled(onProgress)
  for await (const part of inParts(archived(files))) {
    parts += 1
    bytes += part.length
    await archive.putPart(id, parts, part)
    report(`the database: ${Math.floor(bytes / 2 ** 20)} MiB`)
  }
  if (cluster === undefined) throw new Error('The base has no end')
  const { stoppedAt, firstSegment } = cluster
  const base = { id, stoppedAt: stoppedAt.toISOString(), firstSegment, parts }
  await archive.addBase(base)
  const removed = await removeOld(archive, { keep, earlier })
  return { ...base, ...removed, place: archive.place, bytes }
}

export const assertEmbedded = ({ databaseUrl }: Config): void => {
  if (databaseUrl !== undefined)
    throw new ConfigError('DATABASE_URL: this command is for the embedded database; use the tools of yours')
}

/** The order of segments in time, in all timelines: their names begin with the timeline. */
const positionOf = (segment: string): string => segment.slice(8, 24)

/** Also bases whose command did not finish, but none that another command has begun since. */
const removeOld = async (
  archive: WalArchive,
  { keep, earlier }: { readonly keep: number | undefined; readonly earlier: readonly string[] },
) => {
  const bases = await archive.bases()
  const kept = keep === undefined ? bases : bases.slice(-keep)
  const unused = earlier.filter((id) => !kept.some((base) => base.id === id))
  for (const id of unused) await archive.removeBase(id)
  const first = kept.map(({ firstSegment }) => positionOf(firstSegment)).toSorted()[0] ?? ''
  const segments = keep === undefined ? [] : await archive.segments()
  const old = segments.filter((name) => /^[\dA-F]{24}/.test(name) && positionOf(name) < first)
  await archive.removeSegments(old)
  return { removedBases: unused.length, removedSegments: old.length }
}
