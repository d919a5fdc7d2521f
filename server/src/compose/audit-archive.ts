import { createAuditChain } from '../adapters/audit/audit-chain.ts'
import { type ArchiveReport, readArchive, writeArchive } from '../adapters/audit/archive-file.ts'
import {
  findArchivableHead,
  findArchived,
  insertArchive,
  readEntries,
  removeArchived,
} from '../adapters/audit/audit-archive.ts'
import { createAudit } from '../adapters/audit/audit-table.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import { openForCommand } from './commands.ts'

export type { ArchiveReport } from '../adapters/audit/archive-file.ts'

export type ArchiveOrder = { readonly path: string; readonly before: Date }

/**
 * Writes the entries before a time to a file, up to a head that the live log has, reads the file again, and removes the
 * entries from the database.
 */
export const archiveAuditIn = async (
  config: Config,
  { path, before }: ArchiveOrder,
): Promise<ArchiveReport> => {
  await using database = await openForCommand(config, createLog('silent'))
  const { query } = database
  await removeArchived(database)
  const { faults } = await createAuditChain({ clock: systemClock }).verify(query)
  if (faults.length > 0)
    throw new Error(
      'the audit log is not intact, so nothing was archived: GET /api/audit/verification says what is wrong',
    )
  const archived = await findArchived(query)
  const after = archived?.position ?? 0
  const head = await findArchivableHead(query, { after, before })
  if (head === undefined)
    throw new Error(
      `there is no head on the live log before which all entries are older than ${before.toISOString()}`,
    )
  const { position, hash, transactionId, chainedAt } = head
  await writeArchive(path, {
    after: archived && { position: archived.position, hash: archived.hash },
    entries: readEntries(query, { after, to: position }),
    end: { position, hash, transactionId },
  })
  const report = await readArchive(path)
  const archivedAt = new Date(systemClock.now())
  await database.transaction(async (tx) => {
    await insertArchive(tx, { position, hash, transactionId, chainedAt, entries: report.entries, archivedAt })
    await createAudit({ clock: systemClock }).write(tx, {
      actor: 'command',
      action: 'audit.archive',
      subject: `audit:${position}`,
      details: { before, entries: report.entries, hash, transactionId },
    })
  })
  await removeArchived(database)
  return report
}

/** Each file must continue the one before it. Needs no installation. */
export const verifyArchives = async (paths: readonly string[]): Promise<readonly ArchiveReport[]> => {
  const reports: ArchiveReport[] = []
  for (const path of paths) {
    const report = await readArchive(path)
    const previous = reports.at(-1)?.end
    const { after } = report
    if (previous !== undefined && (after.position !== previous.position || after.hash !== previous.hash))
      throw new Error(`${path}: does not continue the file before it: it follows position ${after.position}`)
    reports.push(report)
  }
  return reports
}
