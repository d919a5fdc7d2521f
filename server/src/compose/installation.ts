import type { Mode } from '@millseal/contract'
import type { AcceptedTimes, ContinuedLog, LogReport, ProvenRecord } from './log-commands.ts'
import { resolve } from 'node:path'
import type { ArchiveOrder, ArchiveReport } from './audit-archive.ts'
import type { BackupManifest, BackupOptions } from './backup.ts'
import type { MovedFiles } from './move-files.ts'
import type { FilesKind, ReadableFiles } from '../ports/files/files.ts'
import type { Restored, RestoreOptions } from './restore.ts'
import type { MasterKeyRotation } from './rotate-master-key.ts'
import type { PackManifest, Progress } from '@millseal/families'
import type { ImportedPack } from './packs.ts'
import { readConfig, unknownSettings } from '../config.ts'
import type { Finding } from './doctor-finding.ts'
import type { RestoredTo, RestoreToOptions } from './wal/restore-to.ts'
import type { BaseOptions, SavedBase } from './wal/save-base.ts'
import type { Rotation } from '../services/auth/index.ts'
import type { MadeOperator, WantedOperator } from '../services/user/index.ts'

/** Commands for an installation. They work with or without a running server. */
export type Installation = {
  readonly dataDir: string
  makeOperator(wanted: WantedOperator): Promise<MadeOperator>
  rotateSigningKey(): Promise<Rotation>
  rotateMasterKey(options: { readonly tokenKey: boolean }): Promise<MasterKeyRotation>
  /** Imports schemas and labels from a folder or archive; rejects if nothing can be imported. */
  addPack(path: string, onProgress: (progress: Progress) => void): Promise<ImportedPack>
  /** False if there is no pack with this name. */
  removePack(name: string): Promise<boolean>
  listPacks(): Promise<readonly PackManifest[]>
  /** A sample certificate of every family, by its name. */
  samples(): Promise<ReadonlyMap<string, unknown>>
  /** Checks everything a server needs. */
  examine(onFinding: (finding: Finding) => void): Promise<readonly Finding[]>
  backUp(options: BackupOptions): Promise<BackupManifest>
  /** Needs an empty data folder and an empty database. */
  restore(options: RestoreOptions): Promise<Restored>
  /** Saves the embedded database to the archive of its write-ahead log. */
  saveBase(options: BaseOptions): Promise<SavedBase>
  /** Restores the embedded database to a second. Needs an empty data folder. */
  restoreTo(options: RestoreToOptions): Promise<RestoredTo>
  /** Verifies the logs of one mode, or of both. Skips logs that do not exist. */
  verifyLogs(mode: Mode | undefined): Promise<ReadonlyMap<Mode, LogReport>>
  /** Copies the files to another place, and completes that if no server runs. */
  moveFiles(options: {
    readonly to: FilesKind
    readonly onProgress: (what: string) => void
  }): Promise<MovedFiles>
  /** Lets a log go on under a new name and with a new key. No server may run. */
  continueLog(mode: Mode): Promise<ContinuedLog>
  /** Moves the oldest entries of the audit log to a file. */
  archiveAudit(order: ArchiveOrder): Promise<ArchiveReport>
  /** Says that the clock is right, so that a log records again after the clock jumped. */
  acceptTime(mode: Mode): Promise<AcceptedTimes>
  /** `hash` is that of a certificate or the id of a transaction. Undefined if the log has no such record. */
  proveRecord(wanted: { readonly hash: string; readonly mode: Mode }): Promise<ProvenRecord | undefined>
}

/** Rejects with `ConfigError` if a setting is invalid. */
export const installation = async (
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Installation> => {
  const config = readConfig(environment)
  // Late imports, so that help and invalid calls do not load the whole product.
  const commands = await import('./commands.ts')
  return {
    dataDir: resolve(config.dataDir),
    makeOperator: (wanted) => commands.makeOperatorIn(config, wanted),
    rotateSigningKey: () => commands.rotateSigningKeyIn(config),
    rotateMasterKey: (options) => commands.rotateMasterKeyIn(config, options),
    addPack: async (path, onProgress) => (await import('./packs.ts')).addPackIn(config, path, onProgress),
    removePack: async (name) => (await import('./packs.ts')).removePackIn(config, name),
    samples: async () => {
      const { families } = await import('@millseal/families')
      return new Map(families.map(({ name, samples }) => [name, samples[0]]))
    },
    listPacks: async () => (await import('./packs.ts')).listPacksIn(config),
    examine: async (onFinding) =>
      (await import('./doctor.ts')).examine(config, unknownSettings(environment), onFinding),
    backUp: async (options) => (await import('./backup.ts')).backUp(config, options),
    restore: async (options) => (await import('./restore.ts')).restore(config, options),
    saveBase: async (options) => (await import('./wal/save-base.ts')).saveBase(config, options),
    restoreTo: async (options) => (await import('./wal/restore-to.ts')).restoreTo(config, options),
    verifyLogs: async (mode) => (await import('./log-commands.ts')).verifyLogsIn(config, mode),
    continueLog: async (mode) => (await import('./log-commands.ts')).continueLogIn(config, mode),
    archiveAudit: async (order) => (await import('./audit-archive.ts')).archiveAuditIn(config, order),
    acceptTime: async (mode) => (await import('./log-commands.ts')).acceptTimeIn(config, mode),
    moveFiles: async (options) => (await import('./move-files.ts')).moveFilesIn(config, options),
    proveRecord: async (wanted) => (await import('./log-commands.ts')).proveIn(config, wanted),
  }
}

/** Verifies a copy of a log, in a folder or anywhere else, with a key that the caller trusts. Needs no installation. */
export const verifyLogCopy = async (
  copy: string | ReadableFiles,
  key: string | undefined,
): Promise<LogReport> => (await import('./log-commands.ts')).verifyLogCopy(copy, key)

/** Verifies files of archived entries of the audit log, each of which must continue the one before it. */
export const verifyArchives = async (paths: readonly string[]): Promise<readonly ArchiveReport[]> =>
  (await import('./audit-archive.ts')).verifyArchives(paths)
