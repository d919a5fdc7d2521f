import { type Mode, modes } from '@millseal/contract'
import { createAudit } from '../adapters/audit/audit-table.ts'
import { openSession } from '../adapters/database/session.ts'
import { assertNotOfAnother, readPlace, switchTo } from '../adapters/files/installation.ts'
import { copyLog } from '../adapters/ledger/embedded/copy-log.ts'
import { findLogKey } from '../adapters/ledger/embedded/log-key.ts'
import { verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import { tryWriterLock } from '../adapters/ledger/embedded/writer-lock.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { Files, FilesKind } from '../ports/files/files.ts'
import { openForCommand } from './commands.ts'
import { claimable, openFilesAt } from './files.ts'

export type MovedFiles = {
  readonly from: string
  readonly to: string
  /** The number of copied entries of each existing log. */
  readonly logs: Partial<Readonly<Record<Mode, number>>>
  /** False while a server runs: the copy is there, but nothing uses it yet. */
  readonly isDone: boolean
}

type Moving = {
  readonly database: Database
  readonly from: Files
  readonly to: Files
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
  const from = claimable(openFilesAt(before, config, database), database)
  const to = openFilesAt(kind, config, database)
  if (before === kind) throw new Error(`The files of this installation are already in ${from.place}`)
  await from.claim()
  await assertNotOfAnother(database.query, to)
  const moving = { database, from, to, onProgress }
  const logs = await copyLogs(moving)
  const names = { from: from.place, to: to.place }
  await using writing = await lockLogs(database)
  if (!writing.isHeld) return { ...names, logs, isDone: false }
  // Another command may have moved them in between.
  await from.claim()
  const complete = await copyLogs(moving)
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
  return { ...names, logs: complete, isDone: true }
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
