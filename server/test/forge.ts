import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { Client } from 'pg'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { Secret } from '../src/lib/secret.ts'
import { startOwnServer, type TestServer } from './test-server.ts'

/** What an attacker could do with the signing key of a server, or with its public half only. */
export type Forge = {
  readonly kid: string
  readonly publicKey: KeyObject
  /** A token of these parts, correctly signed; text is taken as it is, everything else is written as JSON. */
  signed(header: unknown, payload: unknown): string
}

export const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** A server whose master key the test knows, and the key it signs with. */
export const startServerWithForge = async (): Promise<{ server: TestServer; forge: Forge }> => {
  const masterKey = randomBytes(32)
  const server = await startOwnServer({ environment: { MILLSEAL_MASTER_KEY: masterKey.toString('base64') } })
  await fetch(`${server.url}/.well-known/jwks.json`)
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string; encrypted_private_jwk: Buffer }>(
    'select * from signing_keys',
  )
  await client.end()
  const [row] = rows
  if (row === undefined) throw new Error('The server has no signing key yet')
  const keystore = createLocalKeystore(new Secret(masterKey))
  const decrypted = keystore.decrypt(row.encrypted_private_jwk, `signing_keys/${row.id}`)
  const jwk = JSON.parse(Buffer.from(decrypted).toString('utf8')) as Record<string, string>
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  return {
    server,
    forge: {
      kid: row.id,
      publicKey: createPublicKey(privateKey),
      signed: (header, payload) => signedBy(privateKey, header, payload),
    },
  }
}

/** EdDSA, whatever the header says. */
export const signedBy = (key: KeyObject, header: unknown, payload: unknown): string => {
  const input = `${encoded(header)}.${encoded(payload)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}
