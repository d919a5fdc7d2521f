import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { createEmbeddedLedger, type EmbeddedLedger } from '../src/adapters/ledger/embedded/embedded.ts'
import { Secret } from '../src/lib/secret.ts'
import { type Clock, systemClock } from '../src/ports/clock/clock.ts'
import type { Database } from '../src/ports/database/database.ts'
import type { Keystore } from '../src/ports/keystore/keystore.ts'
import { openTestDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The parts that the processes of one installation share. */
export type LedgerInstallation = AsyncDisposable & {
  readonly database: Database
  readonly keystore: Keystore
  readonly masterKey: Buffer
  /** Of the test log. */
  readonly folder: string
  readonly knownCheckpoints: string
  /** Like another process; not started yet. */
  open(mode?: Mode, clock?: Clock): EmbeddedLedger
}

/** In a new folder, in `parent` if given. `host` is the first part of the names of its logs. */
export const openLedgerInstallation = async (
  parent?: string,
  host = 'example.com',
): Promise<LedgerInstallation> => {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await makeTemporaryFolder(parent))
  const database = opening.use(await openTestDatabase())
  const masterKey = randomBytes(32)
  const keystore = createLocalKeystore(new Secret(masterKey))
  const knownCheckpoints = join(path, 'known')
  const opened = opening.move()
  return {
    database,
    keystore,
    masterKey,
    folder: join(path, 'test'),
    knownCheckpoints,
    open: (mode = 'test', clock = systemClock) =>
      createEmbeddedLedger({
        mode,
        folder: path,
        knownCheckpoints,
        origin: () => `${host}/ledger/${mode}`,
        database,
        keystore,
        clock,
        log: silentLog,
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
