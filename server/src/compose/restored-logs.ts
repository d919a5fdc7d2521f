import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { createIndexReader } from '../adapters/ledger/embedded/index-reader.ts'
import { findLogKey } from '../adapters/ledger/embedded/log-key.ts'
import { type LogReport, verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import type { Config } from '../config.ts'
import type { Database } from '../ports/database/database.ts'
import type { BackupManifest } from './backup.ts'

/**
 * The logs as they lie in the data folder, against the key in the database. What was recorded while the backup was made
 * is not in the index yet: the next start puts it there, so then only the log itself is judged.
 */
export const verifyRestoredLogs = async (
  config: Config,
  database: Database,
  { logs }: Pick<BackupManifest, 'logs'>,
): Promise<readonly (readonly [Mode, LogReport])[]> => {
  const reports: (readonly [Mode, LogReport])[] = []
  for (const mode of modes) {
    const size = logs[mode]
    if (size === undefined) continue
    const key = await findLogKey(database.query, mode)
    if (key === undefined) throw new Error(`The backup has a ${mode} log, and its database no key of one`)
    const index = createIndexReader(database.query, mode)
    const lags = (await index.readSize()) < size
    const folder = join(resolve(config.dataDir), 'ledger', mode)
    reports.push([mode, await verifyLog({ folder, key, ...(lags ? {} : { index }) })])
  }
  return reports
}
