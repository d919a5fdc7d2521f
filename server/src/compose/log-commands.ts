import { resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { writeTlogProof } from '@millseal/proof'
import { readNewestTime, storeAcceptedTime } from '../adapters/ledger/embedded/accepted-time.ts'
import { type ContinuedLog, continueLog } from '../adapters/ledger/embedded/continue-log.ts'
import { createIndexReader } from '../adapters/ledger/embedded/index-reader.ts'
import { findLogKey } from '../adapters/ledger/embedded/log-key.ts'
import { type LogReport, verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { createAudit } from '../adapters/audit/audit-table.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { ReadableFiles } from '../ports/files/files.ts'
import type { LedgerEntry } from '../ports/ledger/ledger.ts'
import { openForCommand } from './commands.ts'
import { claimable, openFilesOf } from './files.ts'

export type { ContinuedLog, LogReport }

/** Verifies a copy of a log, in a folder or anywhere else, with a key that the caller trusts. Needs no installation. */
export const verifyLogCopy = (copy: string | ReadableFiles, key: string | undefined): Promise<LogReport> =>
  verifyLog({ files: typeof copy === 'string' ? createFolderFiles(resolve(copy)) : copy, key })

/** Verifies the logs of this installation and their index. Skips logs that do not exist. */
export const verifyLogsIn = async (
  config: Config,
  wanted: Mode | undefined,
): Promise<ReadonlyMap<Mode, LogReport>> => {
  await using database = await openForCommand(config, createLog('silent'))
  const files = await openFilesOf(config, database)
  const reports = new Map<Mode, LogReport>()
  for (const mode of modes) {
    const key = await findLogKey(database.query, mode)
    if (key === undefined || (wanted !== undefined && wanted !== mode)) continue
    const index = createIndexReader(database.query, mode)
    reports.set(mode, await verifyLog({ files: files.within(mode), key, index }))
  }
  return reports
}

export type ProvenRecord = {
  readonly entry: LedgerEntry
  readonly index: number
  /** C2SP tlog-proof: index, inclusion path, checkpoint. */
  readonly tlogProof: string
}

/** `hash` is that of a certificate or the id of a transaction. */
export const proveIn = async (
  config: Config,
  { hash, mode }: { readonly hash: string; readonly mode: Mode },
): Promise<ProvenRecord | undefined> => {
  const { openKeystore } = await import('./keys.ts')
  const { openLedgers } = await import('./ledgers.ts')
  const log = createLog('silent')
  await using database = await openForCommand(config, log)
  await using ledgers = openLedgers(config, {
    database,
    files: claimable(await openFilesOf(config, database), database),
    keystore: openKeystore(config),
    clock: systemClock,
    log,
    publicUrl: () => config.publicUrl ?? '',
  })
  const ledger = ledgers.embedded(mode)
  const entry = (await ledger.findCertificate(hash)) ?? (await ledger.find(hash))
  if (entry === undefined) return undefined
  const evidence = await ledger.proveRecords({ transactionIds: [entry.transaction.id], subjects: [] })
  const [proven] = evidence?.entries ?? []
  if (evidence === undefined || proven === undefined) return undefined
  const { index, path } = proven
  return { entry, index, tlogProof: writeTlogProof({ index, path, checkpoint: evidence.checkpoint }) }
}

/** Lets the log go on under a new name and with a new key. No server may run. */
export const continueLogIn = async (config: Config, mode: Mode): Promise<ContinuedLog> => {
  const { openKeystore } = await import('./keys.ts')
  const { knownCheckpointsOf } = await import('./ledgers.ts')
  await using database = await openForCommand(config, createLog('silent'))
  const clock = systemClock
  const audit = createAudit({ clock })
  return await continueLog({
    mode,
    files: await openFilesOf(config, database),
    knownCheckpoints: knownCheckpointsOf(config, database.query),
    host: config.ledgerOrigin,
    database,
    keystore: openKeystore(config),
    clock,
    record: (tx, details) =>
      audit.write(tx, {
        actor: 'command',
        action: 'ledger_logs.continue',
        subject: `ledger_log:${mode}`,
        details,
      }),
  })
}

export type AcceptedTimes = { readonly time: Date; readonly newest: Date }

/** Tells the writer of the log, running or not, that the present time is right. */
export const acceptTimeIn = async (config: Config, mode: Mode): Promise<AcceptedTimes> => {
  await using database = await openForCommand(config, createLog('silent'))
  const audit = createAudit({ clock: systemClock })
  const newest = await readNewestTime(database.query, {
    mode,
    files: (await openFilesOf(config, database)).within(mode),
  })
  if (newest === undefined) throw new Error(`there is no ${mode} log yet`)
  const times = { time: new Date(systemClock.now()), newest }
  await database.transaction(async (tx) => {
    await storeAcceptedTime(tx, { mode, ...times })
    await audit.write(tx, {
      actor: 'command',
      action: 'ledger_logs.accept_time',
      subject: `ledger_log:${mode}`,
      details: times,
    })
  })
  return times
}
