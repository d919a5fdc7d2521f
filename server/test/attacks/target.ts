import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { encoded, type Forge, signedBy } from '../forge.ts'
import type { TestServer } from '../test-server.ts'
import { claimsOf, type Owner } from '../machines.ts'

export type Attack = readonly [name: string, token: (target: Target) => string | Promise<string>]

/** Secrets of ours that are no access tokens, or are none any more. */
export type OtherSecrets = {
  readonly refreshToken: string
  readonly clientSecret: string
  readonly linkToken: string
  readonly rotated: string
}

type Given = {
  readonly server: TestServer
  readonly forge: Forge
  readonly owner: Owner
  /** The token of an application. */
  readonly valid: string
  readonly known: OtherSecrets
  /** Where a key set of the attacker's is to be had. */
  readonly baitUrl: string
}

export type Target = Given & ReturnType<typeof forgeries>

export const aim = (given: Given): Target => ({ ...given, ...forgeries(given) })

const forgeries = ({ server, forge, valid }: Given) => {
  const parts = valid.split('.') as [header: string, claims: string, signature: string]
  const header = JSON.parse(Buffer.from(parts[0], 'base64url').toString('utf8')) as Record<string, unknown>
  const claims = claimsOf(valid)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const without = (name: string): object =>
    Object.fromEntries(Object.entries(claims).filter(([other]) => other !== name))
  return {
    header,
    claims,
    without,
    now: () => Math.floor(server.clock.now() / 1_000),
    parts,
    /** Correctly signed by our own key, with other claims or another header. */
    claiming: (changes: object) => forge.signed(header, { ...claims, ...changes }),
    lacking: (name: string) => forge.signed(header, without(name)),
    headed: (changes: object) => forge.signed({ ...header, ...changes }, claims),
    /** By a key of the attacker's. */
    mallory: privateKey,
    malloryJwk: publicKey.export({ format: 'jwk' }),
    byMallory: (changes: object = {}) => signedBy(privateKey, { ...header, ...changes }, claims),
    byOtherAlgorithm: (alg: string, key: KeyObject) => {
      const input = `${encoded({ ...header, alg })}.${encoded(claims)}`
      const hash = alg === 'EdDSA' ? null : 'sha256'
      const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
      return `${input}.${signature.toString('base64url')}`
    },
    hmac: (bits: string, secret: string | Buffer, changes: object = {}) => {
      const input = `${encoded({ ...header, alg: `HS${bits}`, ...changes })}.${encoded(claims)}`
      return `${input}.${createHmac(`sha${bits}`, secret).update(input).digest('base64url')}`
    },
    /** The signature of the claims as they were. */
    tampered: (changes: object) => `${parts[0]}.${encoded({ ...claims, ...changes })}.${parts[2]}`,
    flipped: () => {
      const signature = Buffer.from(parts[2], 'base64url')
      signature.writeUInt8(signature.readUInt8(10) ^ 1, 10)
      return `${parts[0]}.${parts[1]}.${signature.toString('base64url')}`
    },
    /** The same bytes spelled otherwise: the last letter of 64 bytes carries four bits that nobody reads. */
    respelled: () => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      return `${valid.slice(0, -1)}${alphabet[alphabet.indexOf(valid.at(-1) ?? '') + 1]}`
    },
  }
}
