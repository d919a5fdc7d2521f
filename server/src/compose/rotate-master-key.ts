import { setTimeout as pause } from 'node:timers/promises'
import { masterKeyId } from '../adapters/keystore/local.ts'
import { reEncryptPlace } from '../adapters/keystore/re-encrypt.ts'
import type { Audit } from '../ports/audit/audit.ts'
import type { Database } from '../ports/database/database.ts'
import { rewrapRoots } from '../services/km/index.ts'
import type { Keys } from './keys.ts'
import { sealedPlaces } from './sealed-places.ts'

export type MasterKeyRotation = {
  /** How many sealed values were laid under the new key, roots of wallets among them. */
  readonly moved: number
  /** The key that seals now, by its id. */
  readonly keyId: string
  /** Where the keys went that nothing lies under any more; none where the keys are in the environment. */
  readonly retired: readonly string[]
}

/** What was sealed with the old key and not yet written when a pass began is found by the next one. */
const settleMs = 2_000
const cleanPasses = 2

/**
 * Servers go on meanwhile: they open with both keys, and seal with the new one from its first moment on. The old key is
 * moved aside only when nothing lies under it any more; after a crash the same command goes on where it stopped.
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
    let found = await rewrapRoots({ database, vault })
    for (const place of sealedPlaces) found += await reEncryptPlace({ database, keystore }, place)
    moved += found
    clean = found === 0 ? clean + 1 : 0
    if (clean < cleanPasses) await pause(settleMs)
  }
  const keyId = masterKeyId(masterKeys().sealing).toString('hex')
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
