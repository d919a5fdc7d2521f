import { limits } from '@millseal/contract'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { JobKind } from '../../../ports/jobs/jobs.ts'
import { type Keystore, DecryptionFailed } from '../../../ports/keystore/keystore.ts'
import type { KeyDependencies } from '../key-dependencies.ts'
import { newSigningKey, privateJwk, publishedBeforeUseMs } from './signing-keys.ts'
import {
  deleteRetiredKeys,
  findSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  type StoredSigningKey,
} from './signing-keys.store.ts'

export type Rotation = {
  /** Undefined if the newest key is younger than the age that was asked for. */
  readonly created: string | undefined
  readonly retired: readonly string[]
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
export const signingKeyAgeMs = 90 * dayMs

export const signingKeyRotation: JobKind<object> = {
  name: 'auth-signing-key-rotation',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

/**
 * Creates the next signing key, which is used once it has been published for a while. Old keys are kept until the last
 * token they signed has expired, so nobody is signed out.
 */
export const rotateSigningKey = async (
  { database, keystore, clock, audit }: KeyDependencies & { readonly audit: Audit },
  { actor, olderThanMs = 0 }: { actor: string; olderThanMs?: number },
): Promise<Rotation> => {
  const fresh = await newSigningKey(keystore)
  return database.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const now = new Date(clock.now())
    const [newest] = await findSigningKeys(tx)
    if (newest !== undefined) assertSameMasterKey(newest, keystore)
    const isDue = newest === undefined || now.getTime() - newest.createdAt.getTime() >= olderThanMs
    if (isDue) await insertSigningKey(tx, { ...fresh, createdAt: now })
    const retired = await deleteRetiredKeys(tx, {
      now,
      inUseMs: publishedBeforeUseMs + minuteMs,
      lifetimeMs: limits.accessTokenSeconds * 1_000 + minuteMs,
    })
    if (isDue || retired.length > 0) {
      await audit.write(tx, {
        actor,
        action: 'signing_keys.rotate',
        subject: `signing_key:${isDue ? fresh.id : newest?.id}`,
        details: { created: isDue, retired },
      })
    }
    return { created: isDue ? fresh.id : undefined, retired }
  })
}

/** A new key encrypted with a master key that the server does not have would stop all signing. */
const assertSameMasterKey = (newest: StoredSigningKey, keystore: Keystore): void => {
  try {
    privateJwk(newest, keystore)
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error
    throw new Error(
      'This master key is not the one the server uses: set MILLSEAL_MASTER_KEY or MILLSEAL_DATA_DIR to the values the server has',
      { cause: error },
    )
  }
}
