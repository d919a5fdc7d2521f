import { chmod, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import type { DatabaseLog } from '../postgres.ts'
import { DatabaseRefused } from '../refused.ts'
import { findBundledBinaries } from './binaries.ts'
import { ensureClusterFolder, superuser } from './cluster-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { choosePrivileges } from './privileges.ts'
import { serverSettings } from './settings.ts'
import { prepareSocketFolder, prepareSpareSocketFolder } from './socket-folder.ts'
import { Supervisor } from './supervisor.ts'
import { archivingTo, prepareWalSpool } from './wal-spool.ts'

export interface LaunchOptions {
  /** The database is in its subfolder `postgres`. */
  readonly dataDir: string
  /** False is faster but unsafe: a power cut destroys the data. For tests. Default: true. */
  readonly durable?: boolean
  readonly log: DatabaseLog
  /** Called when the database has stopped so often that it is not restarted any more. */
  readonly onGivenUp?: (reason: Error) => void
  readonly restartsPerMinute?: number
  /** Whether finished segments of the write-ahead log are kept in the folder `wal`. Default: false. */
  readonly archivesWal?: boolean
  /** Default: long enough to replay the log of a large database after a crash. */
  readonly startTimeoutMs?: number
  readonly settings?: Readonly<Record<string, string>>
}

export interface Launched extends AsyncDisposable {
  readonly connection: ClientConfig
  /** Undefined until a stopped server is restarted. */
  readonly pid: number | undefined
}

/**
 * Starts the bundled PostgreSQL on a unix socket, and restarts it whenever it stops. It stops with this process: on Linux
 * immediately, even after `kill -9`; elsewhere the next start stops what is still running.
 */
export async function launchEmbedded(options: LaunchOptions): Promise<Launched> {
  const { log, durable = true, onGivenUp = () => {}, restartsPerMinute = 10 } = options
  const started = performance.now()
  await makeDataFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const privileges = await choosePrivileges(await findBundledBinaries(join(dataDir, 'libraries')))

  if (privileges.needsOpenPath) await chmod(dataDir, 0o711)

  await using held = new AsyncDisposableStack()
  const { socketFolder, lock } = await claim(dataDir, privileges.owner)
  held.use(lock)
  await ensureClusterFolder({ folder, socketFolder, privileges, durable, log })
  const archiving = options.archivesWal
    ? archivingTo(await prepareWalSpool(dataDir, privileges.owner))
    : undefined
  const settings = { ...serverSettings({ socketFolder, durable }), ...archiving, ...options.settings }
  const { startTimeoutMs } = options
  const place = { privileges, folder, socketFolder, settings, startTimeoutMs }
  const supervisor = held.use(await Supervisor.start({ ...place, log, onGivenUp, restartsPerMinute }))
  log.info({ folder, ms: Math.round(performance.now() - started) }, `PostgreSQL ${privileges.major} is ready`)

  const owned = held.move()
  return {
    connection: { host: socketFolder, port: 5432, user: superuser, database: 'postgres', ssl: false },
    get pid() {
      return supervisor.pid
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

interface Claimed {
  readonly socketFolder: string
  readonly lock: AsyncDisposable
}

async function claim(dataDir: string, owner: number | undefined): Promise<Claimed> {
  const socketFolder = await prepareSocketFolder(dataDir, owner)
  try {
    return { socketFolder, lock: await lockFolder(socketFolder, dataDir) }
  } catch (error) {
    // Some shared file systems support files but not sockets.
    if (error instanceof DatabaseRefused || !isListenError(error)) throw error
  }
  const spare = await prepareSpareSocketFolder(dataDir, owner)
  return { socketFolder: spare, lock: await lockFolder(spare, dataDir) }
}

function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen'
}

const makeDataFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new Error(
      `The data folder ${path} cannot be created (${reason}): set MILLSEAL_DATA_DIR to a folder that this user can write to`,
      { cause },
    )
  }
}
