import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { type Database, DatabaseUnavailable } from '../../../ports/database/database.ts'
import { type DatabaseLog, openPostgres } from '../postgres.ts'
import { superuser } from './cluster-folder.ts'
import { findHolder } from './folder-lock.ts'
import { socketFoldersOf } from './socket-folder.ts'

export interface AttachOptions {
  readonly dataDir: string
  readonly applicationName: string
  readonly maxConnections: number
  readonly log: DatabaseLog
  /** For a database that is about to start; default 20 s. */
  readonly patienceMs?: number
}

/** The database that another process runs in this data folder; undefined when none does. Disposing it only lets go. */
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
    if (!(await isOurs(host, path)) || (await findHolder(host)) === undefined) continue
    return { host, port: 5432, user: superuser, database: 'postgres', ssl: false }
  }
  return undefined
}

/** A socket laid out by another user is a trap, as in `prepareSpareSocketFolder`. */
async function isOurs(socketFolder: string, dataDir: string): Promise<boolean> {
  const [found, cluster] = await Promise.all(
    [socketFolder, join(dataDir, 'postgres')].map((path) => lstat(path).catch(() => undefined)),
  )
  return found?.isDirectory() === true && [process.getuid?.(), cluster?.uid].includes(found.uid)
}

async function untilReady(database: Database, patienceMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(patienceMs)
  for (;;) {
    try {
      return await database.check(deadline)
    } catch (error) {
      if (deadline.aborted || !(error instanceof DatabaseUnavailable)) throw error
    }
    await delay(100)
  }
}
