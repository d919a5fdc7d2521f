import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { type Database, DatabaseUnavailable } from '../../../ports/database/database.ts'
import { type DatabaseLog, openPostgres } from '../postgres.ts'
import { superuser } from './cluster-folder.ts'
import { findHolder } from './folder-lock.ts'
import { socketFoldersOf } from './socket-folder.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

export interface AttachOptions {
  readonly dataDir: string
  readonly applicationName: string
  readonly maxConnections: number
  readonly log: DatabaseLog
  /** How long to wait for a database that is starting. Default: 20 s. */
  readonly patienceMs?: number
}

/** Connects to the database that another process runs in this data folder. Undefined if there is none. Disposing it only disconnects. */
export async function attachEmbedded(options: AttachOptions): Promise<Database | undefined> {
  const connection = await findRunning(options.dataDir)
  if (connection === undefined) return undefined
  const database = openPostgres({ ...options, connection })
  try {
    await untilReady(database, options.patienceMs ?? 20_000)
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

async function findRunning(dataDir: string): Promise<ClientConfig | undefined> {
  const path = await realpath(dataDir).catch(() => undefined)
  if (path === undefined) return undefined
  for (const host of socketFoldersOf(path)) {
    if (!(await isTrusted(host, path)) || (await findHolder(host)) === undefined) continue
    return { host, port: 5432, user: superuser, database: 'postgres', ssl: false }
  }
  return undefined
}

/** A folder of another user is not trusted, as in `prepareSpareSocketFolder`. */
async function isTrusted(socketFolder: string, dataDir: string): Promise<boolean> {
  const [found, cluster] = await Promise.all(
    [socketFolder, join(dataDir, 'postgres')].map((path) => lstat(path).catch(() => undefined)),
  )
  return found?.isDirectory() === true && [process.getuid?.(), cluster?.uid].includes(found.uid)
}

async function untilReady(database: Database, patienceMs: number): Promise<void> {
  const deadline = deadlineSignal(patienceMs)
  for (;;) {
    try {
      return await database.check(deadline)
    } catch (error) {
      if (deadline.aborted || !(error instanceof DatabaseUnavailable)) throw error
    }
    await delay(100)
  }
}
