import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

/**
 * `<session>.<family><one-time part>`. All refresh tokens of a session share the family, which tells a replaced token
 * from an invented one while only two hashes are stored.
 */
export type ReadRefreshToken = {
  readonly sessionId: string
  readonly familyHash: Buffer
  readonly tokenHash: Buffer
}

const partBytes = 24
const format = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{32})[\w-]{32}$/

export const newRefreshToken = (
  sessionId: string,
): { token: Secret; tokenHash: Buffer; familyHash: Buffer } => {
  const family = randomPart()
  const token = new Secret(`${sessionId}.${family}${randomPart()}`)
  return { token, tokenHash: hashOf(token), familyHash: sha256(family) }
}

export const newSuccessorSalt = (): Buffer => randomBytes(32)

/** Undefined if the text does not have the form of a refresh token. */
export const readRefreshToken = (token: Secret): ReadRefreshToken | undefined => {
  const [whole, sessionId, family] = format.exec(token.reveal()) ?? []
  if (whole === undefined || sessionId === undefined || family === undefined) return undefined
  return { sessionId, familyHash: sha256(family), tokenHash: sha256(whole) }
}

/** Derives the next token from the presented one, so it can be repeated without being stored in the database. */
export const successorOf = (token: Secret, salt: Uint8Array): { token: Secret; tokenHash: Buffer } => {
  const compact = token.reveal()
  const part = createHmac('sha256', compact)
    .update(salt)
    .digest()
    .subarray(0, partBytes)
    .toString('base64url')
  const successor = new Secret(`${compact.slice(0, -part.length)}${part}`)
  return { token: successor, tokenHash: hashOf(successor) }
}

export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

const randomPart = (): string => randomBytes(partBytes).toString('base64url')

const hashOf = (token: Secret): Buffer => sha256(token.reveal())

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
