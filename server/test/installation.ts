import assert from 'node:assert/strict'
import { join } from 'node:path'
import { compose } from '../src/compose.ts'
import { moveFilesIn } from '../src/compose/move-files.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import type { FilesKind } from '../src/ports/files/files.ts'
import { openTestDatabase } from './database.ts'
import { certificateAsset, makeLedgerSigner } from './ledger-signer.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { addressOf } from './test-server.ts'

const mill = makeLedgerSigner()

/** A database and a folder, and servers on them. */
export const openInstallation = async (s3: Readonly<Record<string, string>> = {}) => {
  await using opening = new AsyncDisposableStack()
  const folder = opening.use(await makeTemporaryFolder())
  const database = opening.use(await openTestDatabase())
  const environmentOf = (files: string, name = 'data'): Readonly<Record<string, string>> => ({
    ...s3,
    DATABASE_URL: addressOf(database),
    MILLSEAL_DATA_DIR: join(folder.path, name),
    MILLSEAL_FILES: files,
    MILLSEAL_PORT: '0',
    MILLSEAL_MQTT_PORT: 'off',
    MILLSEAL_MQTTS_PORT: 'off',
    MILLSEAL_DRAIN_MS: '0',
    MILLSEAL_VIES: 'off',
    MILLSEAL_SAMPLES: 'off',
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
  })
  const settingsOf = (files: string, name?: string): Config => readConfig(environmentOf(files, name))
  /** Records one transaction per start and resolves with the size of the log. */
  const record = async (config: Config): Promise<number> => {
    await using server = await startOn(config)
    const transaction = mill.create(certificateAsset())
    const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transaction),
    })
    assert.equal(answer.status, 202, await answer.text())
    const note = await (await fetch(`${server.url}/ledger/test/checkpoint`)).text()
    return Number(note.split('\n')[1])
  }
  const opened = opening.move()
  return {
    database,
    path: folder.path,
    environmentOf,
    settingsOf,
    record,
    move: (to: FilesKind, name?: string) => moveFilesIn(settingsOf('', name), { to, onProgress: () => {} }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A server with these settings. */
export const startOn = async (config: Config) => {
  const server = await compose(config, { log: createLog('silent') })
  try {
    await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
  return { url: server.publicUrl(), [Symbol.asyncDispose]: () => server.stop() }
}
