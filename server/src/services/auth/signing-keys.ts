import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import {
  findSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  type StoredSigningKey,
} from './signing-keys.store.ts'

export type SigningKeys = {
  /** The newest key, or the one that is asked for as long as it is kept. */
  signing(id?: string): Promise<{ id: string; key: CryptoKey }>
  /** The public key of a `kid`, or nothing; a key made by another process since is found. */
  verification(id: string): Promise<CryptoKey | undefined>
}

type Dependencies = { readonly database: Database; readonly keystore: Keystore; readonly clock: Clock }

const reloadAfterMs = 5_000

export const createSigningKeys = (deps: Dependencies): SigningKeys => {
  let loaded: { atMs: number; keys: readonly StoredSigningKey[] } | undefined
  const publicKeys = new Map<string, Promise<CryptoKey>>()
  const privateKeys = new Map<string, Promise<CryptoKey>>()

  const load = async (): Promise<readonly StoredSigningKey[]> => {
    const keys = await ensureKeys(deps)
    loaded = { atMs: deps.clock.now(), keys }
    return keys
  }
  const known = async (): Promise<readonly StoredSigningKey[]> => loaded?.keys ?? (await load())

  return {
    async signing(id) {
      const keys = await known()
      const chosen = keys.find((key) => key.id === id) ?? keys[0]
      if (chosen === undefined) throw new Error('There is no signing key')
      const imported = privateKeys.get(chosen.id) ?? importKey(privateJwk(chosen, deps.keystore))
      privateKeys.set(chosen.id, imported)
      return { id: chosen.id, key: await imported }
    },
    async verification(id) {
      let stored = (await known()).find((key) => key.id === id)
      const isStale = loaded !== undefined && deps.clock.now() - loaded.atMs >= reloadAfterMs
      if (stored === undefined && isStale) stored = (await load()).find((key) => key.id === id)
      if (stored === undefined) return undefined
      const imported = publicKeys.get(id) ?? importKey(JSON.parse(stored.publicJwk))
      publicKeys.set(id, imported)
      return imported
    },
  }
}

const ensureKeys = async (deps: Dependencies): Promise<readonly StoredSigningKey[]> => {
  const found = await findSigningKeys(deps.database.query)
  if (found.length > 0) return found
  return deps.database.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const already = await findSigningKeys(tx)
    if (already.length > 0) return already
    const fresh = await newSigningKey(deps.keystore)
    await insertSigningKey(tx, fresh, new Date(deps.clock.now()))
    return [fresh]
  })
}

const newSigningKey = async (keystore: Keystore): Promise<StoredSigningKey> => {
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

const privateJwk = ({ id, sealedPrivateJwk }: StoredSigningKey, keystore: Keystore): JWK =>
  JSON.parse(Buffer.from(keystore.open(sealedPrivateJwk, contextOf(id))).toString('utf8'))

const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, 'EdDSA')
  if (key instanceof Uint8Array) throw new Error('Not an Ed25519 key')
  return key
}
