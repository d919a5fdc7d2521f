import { setTimeout as pause } from 'node:timers/promises'
import { masterKeyId } from '../adapters/keystore/local.ts'
import { reEncryptColumn } from '../adapters/keystore/re-encrypt.ts'
import type { Audit } from '../ports/audit/audit.ts'
import type { Database } from '../ports/database/database.ts'
import { reEncryptRoots } from '../services/km/index.ts'
import type { Keys } from './keys.ts'
import { encryptedColumns } from './encrypted-columns.ts'

export type MasterKeyRotation = {
  /** How many secrets were re-encrypted, wallets included. */
  readonly moved: number
  /** The id of the new key. */
  readonly keyId: string
  /** The files of keys no longer in use; empty if the keys are in the environment. */
  readonly retired: readonly string[]
}

/** A further pass finds secrets that were encrypted with the old key but not yet written when a pass began. */
const settleMs = 2_000
const cleanPasses = 2

/**
 * Servers keep running: they decrypt with both keys and encrypt with the new one from the beginning. The old key is
 * retired once nothing uses it any more. After a crash, the same command continues where it stopped.
 */
export const rotateMasterKey = async ({
  database,
  audit,
  keys: { keystore, keyFile, masterKeys, vault },
}: {
  readonly database: Database
  readonly audit: Audit
  readonly keys: Keys
}): Promise<MasterKeyRotation> => {
  keyFile?.begin()
  let moved = 0
  for (let clean = 0; clean < cleanPasses; ) {
    let found = await reEncryptRoots({ database, vault })
    for (const column of encryptedColumns) found += await reEncryptColumn({ database, keystore }, column)
    moved += found
    clean = found === 0 ? clean + 1 : 0
    if (clean < cleanPasses) await pause(settleMs)
  }
  const keyId = masterKeyId(masterKeys().current).toString('hex')
  const retired = keyFile?.retire() ?? []
  await database.transaction((tx) =>
    audit.write(tx, {
      actor: 'command',
      action: 'master_key.rotate',
      subject: `master_key:${keyId}`,
      details: { moved },
    }),
  )
  return { moved, keyId, retired }
}
