import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { Secret } from '../../../lib/secret.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { KeyDependencies } from '../key-dependencies.ts'
import { findSecret, insertSecret, lockSecrets } from './secrets.store.ts'

export type ProviderSecrets = {
  /** Signs only ID tokens. It is a separate key, so that no ID token can be used as an access token. */
  readonly signingJwk: JWK
  readonly cookieKey: string
  /** Signs the forms on the provider's pages. */
  readonly formKey: string
  /** Authenticates the console, the only client, when it redeems codes. */
  readonly clientSecret: string
}

const name = 'provider'
const context = `oidc_secrets/${name}`

/** Returns the secrets that all processes of this installation share. The first process that needs them creates them. */
export const ensureSecrets = async (deps: KeyDependencies): Promise<Secret<ProviderSecrets>> => {
  const found = await readSecrets(deps, deps.database.query)
  if (found !== undefined) return found
  return deps.database.transaction(async (tx) => {
    await lockSecrets(tx)
    const created = await readSecrets(deps, tx)
    if (created !== undefined) return created
    const fresh = await newSecrets()
    const encryptedValue = deps.keystore.encrypt(Buffer.from(JSON.stringify(fresh)), context)
    await insertSecret(tx, { name, encryptedValue, createdAt: new Date(deps.clock.now()) })
    return new Secret(fresh)
  })
}

const readSecrets = async (
  { keystore }: KeyDependencies,
  query: Query,
): Promise<Secret<ProviderSecrets> | undefined> => {
  const encrypted = await findSecret(query, name)
  if (encrypted === undefined) return undefined
  const decrypted = Buffer.from(keystore.decrypt(encrypted, context)).toString('utf8')
  return new Secret(JSON.parse(decrypted) as ProviderSecrets)
}

const newSecrets = async (): Promise<ProviderSecrets> => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(pair.privateKey)
  return {
    signingJwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' },
    cookieKey: randomKey(),
    formKey: randomKey(),
    clientSecret: randomKey(),
  }
}

const randomKey = (): string => randomBytes(32).toString('base64url')
