import { type Mode, modes } from '@millseal/contract'
import { copyPacks } from '@millseal/families'
import { createAudit } from '../adapters/audit/audit-table.ts'
import { openSession } from '../adapters/database/session.ts'
import { assertNotOfAnother, readPlace, switchTo } from '../adapters/files/installation.ts'
import { copyLog } from '../adapters/ledger/embedded/copy-log.ts'
import { copyKnownCheckpoints } from '../adapters/ledger/embedded/known-checkpoints.ts'
import { findLogKey } from '../adapters/ledger/embedded/log-key.ts'
import { verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import { tryWriterLock } from '../adapters/ledger/embedded/writer-lock.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { Files, FilesKind } from '../ports/files/files.ts'
import { openForCommand } from './commands.ts'
import { knownFolderOf } from './ledgers.ts'
import { claimable, logFolder, openRootAt } from './files.ts'

export type MovedFiles = {
  readonly from: string
  readonly to: string
  /** The number of copied entries of each existing log. */
  readonly logs: Partial<Readonly<Record<Mode, number>>>
  /** The number of packs of imported schemas. */
  readonly packs: number
  /** False while a server runs: the copy is there, but nothing uses it yet. */
  readonly isDone: boolean
}

type Moving = {
  readonly database: Database
  /** Of the logs. */
  readonly from: Files
  readonly to: Files
  /** Of everything. */
  readonly roots: readonly [from: Files, to: Files]
  readonly onProgress: (what: string) => void
}

/**
 * Copies everything while servers run, and completes the move when none does: then it copies what came since, verifies the
 * copy and names the new place in the database. Can be repeated after an interruption. The old files stay.
 */
export const moveFilesIn = async (
  config: Config,
  { to: kind, onProgress }: { readonly to: FilesKind; readonly onProgress: (what: string) => void },
): Promise<MovedFiles> => {
  await using database = await openForCommand(config, createLog('silent'))
  const before = await readPlace(database.query)
  if (before === undefined)
    throw new Error(`No server has used this database yet: set MILLSEAL_FILES=${kind} and start one`)
  const roots = [
    openRootAt(before, config, database.query),
    openRootAt(kind, config, database.query),
  ] as const
  const from = claimable(roots[0].within(logFolder), database)
  const to = roots[1].within(logFolder)
  if (before === kind) throw new Error(`The files of this installation are already in ${from.place}`)
  await from.claim()
  await assertNotOfAnother(database.query, to)
  const moving = { database, from, to, roots, onProgress }
  const copied = await copyAll(moving)
  const names = { from: from.place, to: to.place }
  await using writing = await lockLogs(database)
  if (!writing.isHeld) return { ...names, ...copied, isDone: false }
  // Another command may have moved them in between.
  await from.claim()
  const complete = await copyAll(moving)
  await copyKnown(config, moving)
  await verifyCopies(moving)
  await database.transaction(async (tx) => {
    await switchTo(tx, to)
    await createAudit({ clock: systemClock }).write(tx, {
      actor: 'command',
      action: 'files.move',
      subject: 'installation:files',
      details: { before, after: kind },
    })
  })
  return { ...names, ...complete, isDone: true }
}

const copyAll = async (moving: Moving): Promise<Pick<MovedFiles, 'logs' | 'packs'>> => {
  const logs = await copyLogs(moving)
  moving.onProgress('copying imported schemas')
  return { logs, packs: await copyPacks(...moving.roots) }
}

/** With the data folder, those beside it are all there are. */
const copyKnown = async (config: Config, { roots: [from, to] }: Moving): Promise<void> => {
  const beside = knownFolderOf(config)
  const before = from.kind === 'folder' ? beside : from.within('known')
  await copyKnownCheckpoints(before, to.kind === 'folder' ? beside : to.within('known'))
}

const copyLogs = async ({ from, to, onProgress }: Moving): Promise<MovedFiles['logs']> => {
  const logs: Partial<Record<Mode, number>> = {}
  for (const mode of modes) {
    onProgress(`copying the ${mode} log`)
    const size = await copyLog(from.within(mode), to.within(mode))
    if (size !== undefined) logs[mode] = size
  }
  return logs
}

/** With the locks of all writers, no server records anything. */
const lockLogs = async (database: Database): Promise<AsyncDisposable & { readonly isHeld: boolean }> => {
  const session = await openSession({
    connection: database.connection,
    applicationName: 'millseal files move',
    channels: [],
    onNotification: () => {},
    onLost: () => {},
  })
  let isHeld = true
  for (const mode of modes) isHeld = (await tryWriterLock(session, mode)) && isHeld
  return { isHeld, [Symbol.asyncDispose]: session.close }
}

const verifyCopies = async ({ database, to, onProgress }: Moving): Promise<void> => {
  for (const mode of modes) {
    const key = await findLogKey(database.query, mode)
    const files = to.within(mode)
    if (key === undefined || (await files.read('checkpoint')) === undefined) continue
    onProgress(`verifying the ${mode} log`)
    const { problems } = await verifyLog({ files, key })
    const [problem] = problems
    if (problem !== undefined) throw new Error(`The copy of the ${mode} log is not used: ${problem}`)
  }
}
