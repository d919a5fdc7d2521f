import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import { createFolderFiles } from '../src/adapters/files/folder.ts'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  type EmbeddedLedgerOptions,
} from '../src/adapters/ledger/embedded/embedded.ts'
import { Secret } from '../src/lib/secret.ts'
import { type Clock, systemClock } from '../src/ports/clock/clock.ts'
import type { Database } from '../src/ports/database/database.ts'
import type { Files, FilesKind } from '../src/ports/files/files.ts'
import type { Keystore } from '../src/ports/keystore/keystore.ts'
import { openTestDatabase } from './database.ts'
import { openFilesArgument } from './files-argument.ts'
import { startS3 } from './s3-server.ts'
import { silentLog } from './silent-log.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The parts that the processes of one installation share. */
export type LedgerInstallation = AsyncDisposable & {
  readonly database: Database
  readonly keystore: Keystore
  readonly masterKey: Buffer
  /** Of the test log, if the files are in a folder. */
  readonly folder: string
  /** Of the test log. */
  readonly files: Files
  /** What another process opens them with: `openFilesArgument`. */
  readonly filesArgument: string
  readonly knownCheckpoints: string
  /** Like another process; not started yet. */
  open(
    mode?: Mode,
    clock?: Clock,
    cosigners?: EmbeddedLedgerOptions['cosigners'],
    stamps?: EmbeddedLedgerOptions['stamps'],
  ): EmbeddedLedger
}

/**
 * In a new folder, in `parent` if given, in its database, in an S3 server of its own, or in a running one. `host` is the
 * first part of the names of its logs.
 */
export const openLedgerInstallation = async (
  parent?: string,
  host = 'example.com',
  kind: FilesKind | `http://${string}` = 'folder',
): Promise<LedgerInstallation> => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder(parent))
  const database = opening.use(await openTestDatabase())
  const masterKey = randomBytes(32)
  const keystore = createLocalKeystore(new Secret(masterKey))
  const knownCheckpoints = join(path, 'known')
  const filesArgument = kind === 's3' ? `${opening.use(await startS3()).address} ledger` : kind
  const files = openFilesArgument(filesArgument, path, database)
  const opened = opening.move()
  return {
    database,
    keystore,
    masterKey,
    folder: join(path, 'test'),
    files: files.within('test'),
    filesArgument,
    knownCheckpoints,
    open: (mode = 'test', clock = systemClock, cosigners?, stamps?) =>
      createEmbeddedLedger({
        mode,
        files,
        claim: async () => {},
        knownCheckpoints: [createFolderFiles(knownCheckpoints)],
        origin: () => `${host}/ledger/${mode}`,
        database,
        keystore,
        clock,
        cosigners,
        stamps,
        log: silentLog,
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
