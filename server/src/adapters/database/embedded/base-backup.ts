import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Client, type ClientConfig } from 'pg'

/** A folder has a slash at its end, and no content. */
export type ClusterFile = { readonly path: string; readonly content: AsyncIterable<Uint8Array> }

export type SavedCluster = {
  /** From this time on, the write-ahead log leads to a consistent state. */
  readonly stoppedAt: Date
  /** The oldest segment that recovery needs. */
  readonly firstSegment: string
}

/** Must differ from all other advisory locks in this database. */
const advisoryLock = 6_155_727_326

/** As in "Making a Base Backup Using the Low Level API" of the manual of PostgreSQL. */
const emptied =
  /^(pg_wal|pg_wal\/archive_status|pg_wal\/summaries|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|recovery\.signal|restored_wal|pgsql_tmp.*|pg_internal\.init.*)$/
const keptFolders: readonly string[] = ['pg_wal/archive_status', 'pg_wal/summaries']

/**
 * Copies the folder of a running cluster. Pages that are written during the copy may be torn: the write-ahead log from
 * `firstSegment` on repairs them.
 */
export const saveCluster = async function* (
  connection: ClientConfig,
  folder: string,
): AsyncGenerator<ClusterFile, SavedCluster> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    await assertArchiving(client)
    const { rows: begun } = await client.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('millseal', true)) as segment`,
    )
    yield* filesOf(folder, '')
    const { rows: ended } = await client.query<{ label: string; at: Date }>(
      'select labelfile as label, clock_timestamp() as at from pg_backup_stop(true)',
    )
    const [first, last] = [begun[0], ended[0]]
    if (first === undefined || last === undefined) throw new Error('PostgreSQL returned no row')
    yield { path: 'backup_label', content: oneChunk(last.label) }
    return { stoppedAt: last.at, firstSegment: first.segment }
  } finally {
    await client.end()
  }
}

const assertArchiving = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ mode: string; locked: boolean }>(
    `select current_setting('archive_mode') as mode, pg_try_advisory_lock($1) as locked`,
    [advisoryLock],
  )
  if (rows[0]?.mode !== 'on')
    throw new Error('The running server does not archive: start it with MILLSEAL_WAL_ARCHIVE')
  if (!rows[0].locked) throw new Error('Another command saves a base now')
}

const filesOf = async function* (folder: string, below: string): AsyncGenerator<ClusterFile> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(unlessMissing([]))
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (leftOut.test(basename(path)) || (emptied.test(path) && !keptFolders.includes(path))) continue
    if (entry.isDirectory()) {
      yield { path: `${path}/`, content: oneChunk('') }
      yield* filesOf(folder, path)
    } else if (entry.isFile()) yield { path, content: contentOf(join(folder, path)) }
  }
}

/** PostgreSQL may remove a file at any time; the write-ahead log then says so. */
const contentOf = async function* (path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>
  } catch (error) {
    unlessMissing(undefined)(error)
  }
}

const unlessMissing =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }

const oneChunk = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
