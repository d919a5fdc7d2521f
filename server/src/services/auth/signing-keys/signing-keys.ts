import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { KeyDependencies } from '../key-dependencies.ts'
import {
  findSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  type StoredSigningKey,
} from './signing-keys.store.ts'

export type SigningKeys = {
  /** The key to sign with now, or the key of this id while it exists. */
  signing(id?: string): Promise<{ id: string; key: CryptoKey }>
  /** The public key of a `kid`. Undefined if there is none. */
  verification(id: string): Promise<CryptoKey | undefined>
  /** The public keys of all valid tokens (RFC 7517), and the next one. */
  published(): Promise<{ readonly keys: readonly JWK[] }>
}

/** The longest time until this process notices that another one rotated the keys. */
const cacheMs = 5_000

/** Time for every process, and every cache of the key set, to learn of a new key. */
export const publishedBeforeUseMs = 60_000

export const createSigningKeys = (deps: KeyDependencies): SigningKeys => {
  const stored = cacheFor(cacheMs, deps.clock, () => ensureKeys(deps))
  const publicKeys = new Map<string, Promise<CryptoKey>>()
  const privateKeys = new Map<string, Promise<CryptoKey>>()

  return {
    async signing(id) {
      const keys = await stored.get()
      const chosen = id === undefined ? keyInUse(keys, deps.clock) : await findKey(id, keys)
      const imported = privateKeys.get(chosen.id) ?? importKey(privateJwk(chosen, deps.keystore))
      privateKeys.set(chosen.id, imported)
      return { id: chosen.id, key: await imported }
    },
    async verification(id) {
      const found = (await stored.get()).find((key) => key.id === id)
      if (found === undefined) return undefined
      const imported = publicKeys.get(id) ?? importKey(JSON.parse(found.publicJwk))
      publicKeys.set(id, imported)
      return imported
    },
    async published() {
      const keys = await stored.get()
      return {
        keys: keys.map(({ id, publicJwk }): JWK => {
          const { kty, crv, x }: JWK = JSON.parse(publicJwk)
          return { kty, crv, x, kid: id, alg: 'EdDSA', use: 'sig' }
        }),
      }
    },
  }

  /** Another process may have signed with a key that is not in this cache yet. */
  async function findKey(id: string, keys: readonly StoredSigningKey[]): Promise<StoredSigningKey> {
    const hasId = (key: StoredSigningKey) => key.id === id
    return keys.find(hasId) ?? (await stored.refresh()).find(hasId) ?? keyInUse(keys, deps.clock)
  }
}

/** The newest key that was published long enough. The very first key is used at once. */
const keyInUse = (keys: readonly StoredSigningKey[], clock: Clock): StoredSigningKey => {
  const publishedBefore = clock.now() - publishedBeforeUseMs
  const chosen = keys.find(({ createdAt }) => createdAt.getTime() <= publishedBefore) ?? keys.at(-1)
  if (chosen === undefined) throw new Error('There is no signing key')
  return chosen
}

/** Concurrent callers share one load. The next caller retries a failed load. */
const cacheFor = <T>(ms: number, clock: Clock, load: () => Promise<T>) => {
  let loaded: { readonly atMs: number; readonly value: T } | undefined
  let loading: Promise<T> | undefined
  const refresh = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        loaded = { atMs: clock.now(), value }
        return value
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  return {
    refresh,
    get: async (): Promise<T> =>
      loaded !== undefined && Math.abs(clock.now() - loaded.atMs) < ms ? loaded.value : refresh(),
  }
}

const ensureKeys = async ({
  database,
  keystore,
  clock,
}: KeyDependencies): Promise<readonly StoredSigningKey[]> => {
  const found = await findSigningKeys(database.query)
  if (found.length > 0) return found
  return database.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const created = await findSigningKeys(tx)
    if (created.length > 0) return created
    await insertSigningKey(tx, { ...(await newSigningKey(keystore)), createdAt: new Date(clock.now()) })
    return findSigningKeys(tx)
  })
}

export const newSigningKey = async (keystore: Keystore): Promise<Omit<StoredSigningKey, 'createdAt'>> => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const id = await calculateJwkThumbprint(publicJwk)
  const encryptedPrivateJwk = keystore.encrypt(
    Buffer.from(JSON.stringify(await exportJWK(pair.privateKey))),
    contextOf(id),
  )
  return { id, publicJwk: JSON.stringify(publicJwk), encryptedPrivateJwk }
}

const contextOf = (id: string): string => `signing_keys/${id}`

/** Throws `DecryptionFailed` if the key was encrypted with another master key. */
export const privateJwk = ({ id, encryptedPrivateJwk }: StoredSigningKey, keystore: Keystore): JWK =>
  JSON.parse(Buffer.from(keystore.decrypt(encryptedPrivateJwk, contextOf(id))).toString('utf8'))

const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, 'EdDSA')
  if (key instanceof Uint8Array) throw new Error('Not an Ed25519 key')
  return key
}
