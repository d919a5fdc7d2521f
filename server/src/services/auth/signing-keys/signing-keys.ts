import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import {
  findSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  type NewSigningKey,
  type StoredSigningKey,
} from './signing-keys.store.ts'

export type SigningKeys = {
  /** The key to sign with now, or the one that is asked for as long as it is kept. */
  signing(id?: string): Promise<{ id: string; key: CryptoKey }>
  /** The public key of a `kid`, or nothing. */
  verification(id: string): Promise<CryptoKey | undefined>
  /** All public keys that tokens in use may be signed with (RFC 7517), the next one among them. */
  published(): Promise<{ readonly keys: readonly JWK[] }>
}

type Dependencies = { readonly database: Database; readonly keystore: Keystore; readonly clock: Clock }

/** What other processes do to the keys is known here after this time. */
const knownForMs = 5_000

/** A new key is shown before it is used: by then every process, and every cache of the key set, has it. */
export const shownBeforeUseMs = 60_000

export const createSigningKeys = (deps: Dependencies): SigningKeys => {
  const known = cacheFor(knownForMs, deps.clock, () => ensureKeys(deps))
  const publicKeys = new Map<string, Promise<CryptoKey>>()
  const privateKeys = new Map<string, Promise<CryptoKey>>()

  return {
    async signing(id) {
      const keys = await known.get()
      const chosen = id === undefined ? keyInUse(keys, deps.clock) : await named(id, keys)
      const imported = privateKeys.get(chosen.id) ?? importKey(privateJwk(chosen, deps.keystore))
      privateKeys.set(chosen.id, imported)
      return { id: chosen.id, key: await imported }
    },
    async verification(id) {
      const stored = (await known.get()).find((key) => key.id === id)
      if (stored === undefined) return undefined
      const imported = publicKeys.get(id) ?? importKey(JSON.parse(stored.publicJwk))
      publicKeys.set(id, imported)
      return imported
    },
    async published() {
      const keys = await known.get()
      return {
        keys: keys.map(({ id, publicJwk }): JWK => {
          const { kty, crv, x }: JWK = JSON.parse(publicJwk)
          return { kty, crv, x, kid: id, alg: 'EdDSA', use: 'sig' } as JWK
        }),
      }
    },
  }

  /** Another process may have signed with a key that is newer than what is known here. */
  async function named(id: string, keys: readonly StoredSigningKey[]): Promise<StoredSigningKey> {
    const isNamed = (key: StoredSigningKey) => key.id === id
    return keys.find(isNamed) ?? (await known.refresh()).find(isNamed) ?? keyInUse(keys, deps.clock)
  }
}

/** Newest first, so the first that was shown long enough; the very first key has nobody to wait for. */
const keyInUse = (keys: readonly StoredSigningKey[], clock: Clock): StoredSigningKey => {
  const shownSince = clock.now() - shownBeforeUseMs
  const chosen = keys.find(({ createdAt }) => createdAt.getTime() <= shownSince) ?? keys.at(-1)
  if (chosen === undefined) throw new Error('There is no signing key')
  return chosen
}

/** Loads once for everybody who asks meanwhile; a failed load is tried again by the next. */
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
      loaded !== undefined && clock.now() - loaded.atMs < ms ? loaded.value : refresh(),
  }
}

const ensureKeys = async (deps: Dependencies): Promise<readonly StoredSigningKey[]> => {
  const found = await findSigningKeys(deps.database.query)
  if (found.length > 0) return found
  return deps.database.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const already = await findSigningKeys(tx)
    if (already.length > 0) return already
    await insertSigningKey(tx, await newSigningKey(deps.keystore), new Date(deps.clock.now()))
    return findSigningKeys(tx)
  })
}

export const newSigningKey = async (keystore: Keystore): Promise<NewSigningKey> => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const id = await calculateJwkThumbprint(publicJwk)
  const sealedPrivateJwk = keystore.seal(
    Buffer.from(JSON.stringify(await exportJWK(pair.privateKey))),
    contextOf(id),
  )
  return { id, publicJwk: JSON.stringify(publicJwk), sealedPrivateJwk }
}

const contextOf = (id: string): string => `signing_keys/${id}`

/** Throws `SealBroken` when this key was sealed under another master key. */
export const privateJwk = ({ id, sealedPrivateJwk }: StoredSigningKey, keystore: Keystore): JWK =>
  JSON.parse(Buffer.from(keystore.open(sealedPrivateJwk, contextOf(id))).toString('utf8'))

const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, 'EdDSA')
  if (key instanceof Uint8Array) throw new Error('Not an Ed25519 key')
  return key
}
