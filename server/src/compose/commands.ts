import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { attachEmbedded } from '../adapters/database/embedded/attach.ts'
import { migrate } from '../adapters/database/migrate.ts'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { createLog } from '../lib/log.ts'
import { createAudit } from '../adapters/audit/audit-table.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { Rotation } from '../services/auth/index.ts'
import type { MadeOperator, WantedOperator } from '../services/user/index.ts'
import { openDatabase } from './database.ts'
import type { MasterKeyRotation } from './rotate-master-key.ts'

// Services are imported late: no command waits for the code of another.

/** Works with or without a running server. */
export const makeOperatorIn = async (config: Config, wanted: WantedOperator): Promise<MadeOperator> => {
  const { makeOperator } = await import('../services/user/index.ts')
  await using database = await openForCommand(config, createLog('silent'))
  const clock = systemClock
  return await makeOperator({ database, clock, audit: createAudit({ clock }) }, wanted)
}

/** A running server starts to use the new key by itself. */
export const rotateSigningKeyIn = async (config: Config): Promise<Rotation> => {
  const { openKeystore } = await import('./keys.ts')
  const { rotateSigningKey } = await import('../services/auth/index.ts')
  await using database = await openForCommand(config, createLog('silent'))
  const clock = systemClock
  const keystore = openKeystore(config)
  const deps = { database, keystore, clock, audit: createAudit({ clock }) }
  return await rotateSigningKey(deps, { actor: 'command' })
}

/** With `tokenKey`, the PKCS#11 token gets a new key too, and live wallets are re-encrypted with it. */
export const rotateMasterKeyIn = async (
  config: Config,
  { tokenKey }: { readonly tokenKey: boolean },
): Promise<MasterKeyRotation> => {
  const { openKeys } = await import('./keys.ts')
  const { rotateMasterKey } = await import('./rotate-master-key.ts')
  const log = createLog('silent')
  await using database = await openForCommand(config, log)
  const clock = systemClock
  const keys = openKeys(config, { clock, log })
  await using _vault = keys.vault
  if (tokenKey) {
    if (keys.token === undefined)
      throw new Error('MILLSEAL_PKCS11_MODULE is not set: there is no PKCS#11 token to rotate')
    await keys.token.makeNewKey()
  }
  return await rotateMasterKey({ database, audit: createAudit({ clock }), keys })
}

/** Opens the database of the running server, or starts one for this command, and migrates it to this release. */
export const openForCommand = async (config: Config, log: Logger): Promise<Database> => {
  if (config.databaseUrl === undefined) ensureDataFolder(config)
  const attached =
    config.databaseUrl === undefined
      ? await attachEmbedded({
          dataDir: resolve(config.dataDir),
          applicationName: 'millseal command',
          maxConnections: 2,
          log,
        })
      : undefined
  const database = attached ?? (await openDatabase(config, log, undefined))
  try {
    await migrate({ connection: database.connection, log })
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}
