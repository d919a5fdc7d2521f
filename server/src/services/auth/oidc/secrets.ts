import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { Secret } from '../../../lib/secret.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { findSecret, insertSecret, lockSecrets } from './secrets.store.ts'

export type ProviderSecrets = {
  /** Signs ID tokens and nothing else: a key of its own, so that none of them can pass for an access token. */
  readonly signingJwk: JWK
  readonly cookieKey: string
  /** What forms of the provider's pages are signed with. */
  readonly formKey: string
  /** By which the console, and nobody else, redeems codes. */
  readonly clientSecret: string
}

type Dependencies = { readonly database: Database; readonly keystore: Keystore; readonly clock: Clock }

const name = 'provider'
const context = `oidc_secrets/${name}`

/** The same for all processes of this installation; made by the first that asks. */
export const ensureSecrets = async (deps: Dependencies): Promise<Secret<ProviderSecrets>> => {
  const found = await readSecrets(deps, deps.database.query)
  if (found !== undefined) return found
  return deps.database.transaction(async (tx) => {
    await lockSecrets(tx)
    const already = await readSecrets(deps, tx)
    if (already !== undefined) return already
    const fresh = await newSecrets()
    const sealed = deps.keystore.seal(Buffer.from(JSON.stringify(fresh)), context)
    await insertSecret(tx, { name, sealed }, new Date(deps.clock.now()))
    return new Secret(fresh)
  })
}

const readSecrets = async (
  { keystore }: Dependencies,
  query: Query,
): Promise<Secret<ProviderSecrets> | undefined> => {
  const sealed = await findSecret(query, name)
  if (sealed === undefined) return undefined
  const opened = Buffer.from(keystore.open(sealed, context)).toString('utf8')
  return new Secret(JSON.parse(opened) as ProviderSecrets)
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
