import { resolve } from 'node:path'
import { modes } from '@millseal/contract'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { assertFilesOf, claimFiles, OtherInstallation } from '../adapters/files/installation.ts'
import { createPostgresFiles } from '../adapters/files/postgres.ts'
import { createS3Files } from '../adapters/files/s3/s3.ts'
import { isLogOf } from '../adapters/ledger/embedded/log-key.ts'
import { assertS3, assertS3Key, type Config, ConfigError, filesInS3 } from '../config.ts'
import { Secret } from '../lib/secret.ts'
import type { Database, Query } from '../ports/database/database.ts'
import type { Files, FilesKind } from '../ports/files/files.ts'

/** Of the logs, and of the id of the installation. Imported schemas are beside it. */
export const logFolder = 'ledger'

const filesKindOf = ({ files, databaseUrl }: Config): FilesKind =>
  files ?? (databaseUrl === undefined ? 'folder' : 'postgres')

/** All files that the processes of an installation share, wherever `kind` says. */
export const openRootAt = (kind: FilesKind, config: Config, query: Query): Files =>
  createFiles[kind](config, query)

/** All files that the processes of an installation share. */
export const openRoot = (config: Config, query: Query): Files =>
  openRootAt(filesKindOf(config), config, query)

const createFiles: Readonly<Record<FilesKind, (config: Config, query: Query) => Files>> = {
  folder: ({ dataDir }) => createFolderFiles(resolve(dataDir)),
  postgres: (_config, query) => createPostgresFiles(query),
  s3(config) {
    assertS3(config)
    const { s3Bucket = '', s3Prefix = '' } = config
    return openS3At(config, { bucket: s3Bucket, prefix: s3Prefix, purpose: filesInS3 })
  },
}

/** In the store of the settings. */
export const openS3At = (
  config: Config,
  { bucket, prefix, purpose }: { readonly bucket: string; readonly prefix: string; readonly purpose: string },
): Files => {
  assertS3Key(config, purpose)
  const { s3Region: region, s3KeyId: keyId = '', s3Secret } = config
  return createS3Files({
    bucket,
    prefix,
    region,
    keyId,
    secret: s3Secret ?? new Secret(''),
    endpoint: config.s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    isVirtualHost: config.s3Addressing === 'host',
  })
}

/** The files of the logs, for a server, which calls `claim` before it uses them. */
export const openFiles = (config: Config, database: Database): ClaimedFiles =>
  claimable(openRoot(config, database.query).within(logFolder), database)

export type ClaimedFiles = Files & {
  /** Rejects with a `ConfigError` if they are not those of the database. */
  claim(): Promise<void>
}

export const claimable = (files: Files, database: Database): ClaimedFiles => ({
  ...files,
  claim: () =>
    claimFiles({ database, files, canBeOurs: (query) => areLogsOf(query, files) }).catch(namingSettings),
})

/** The files of the logs, for a command. Rejects if they are not those of the database. */
export const openFilesOf = async (config: Config, database: Database): Promise<Files> => {
  const files = openRoot(config, database.query).within(logFolder)
  await assertFilesOf(database.query, files).catch(namingSettings)
  return files
}

/** Its message names the settings to change. */
const namingSettings = (error: unknown): never => {
  throw error instanceof OtherInstallation ? new ConfigError(error.message, { cause: error }) : error
}

/** For a release before ids: every log in the database with entries is among the files. */
const areLogsOf = async (query: Query, files: Files): Promise<boolean> => {
  for (const mode of modes) if (!(await isLogOf(query, { mode, files: files.within(mode) }))) return false
  return true
}
