import { type Mode, modes } from '@millseal/contract'
import { createIndexReader } from '../adapters/ledger/embedded/index-reader.ts'
import { findLogKey } from '../adapters/ledger/embedded/log-key.ts'
import { type LogReport, verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import type { Database } from '../ports/database/database.ts'
import type { Files } from '../ports/files/files.ts'
import type { BackupManifest } from './backup.ts'

/**
 * Verifies the restored logs with the key in the database. If entries were recorded during the backup, the
 * index lags until the next start, so only the log itself is verified.
 */
export const verifyRestoredLogs = async (
  files: Files,
  database: Database,
  { logs }: Pick<BackupManifest, 'logs'>,
): Promise<readonly (readonly [Mode, LogReport])[]> => {
  const reports: (readonly [Mode, LogReport])[] = []
  for (const mode of modes) {
    const size = logs[mode]
    if (size === undefined) continue
    const key = await findLogKey(database.query, mode)
    if (key === undefined) throw new Error(`The backup has a ${mode} log, but its database has no key for it`)
    const index = createIndexReader(database.query, mode)
    const lags = (await index.readSize()) < size
    reports.push([mode, await verifyLog({ files: files.within(mode), key, index: lags ? undefined : index })])
  }
  return reports
}
