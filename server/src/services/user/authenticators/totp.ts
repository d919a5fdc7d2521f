import { randomBytes } from 'node:crypto'
import { Secret as Key, TOTP } from 'otpauth'
import { Secret } from '../../../lib/secret.ts'

/** RFC 6238 with SHA-1, six digits and steps of 30 s: every authenticator app supports these. */
const periodSeconds = 30
const secretBytes = 20
const issuer = 'Millseal'

export type TotpSecret = Secret<Uint8Array>

export const newTotpSecret = (): TotpSecret => new Secret(randomBytes(secretBytes))

/** The secret to type into an authenticator, and the URI to scan. */
export const enrolmentOf = (secret: TotpSecret, account: string): { secret: string; otpauthUri: string } => {
  const totp = authenticator(secret, account)
  return { secret: totp.secret.base32, otpauthUri: totp.toString() }
}

/** Accepts the current time step, the one before and the one after, because clocks drift. */
export const stepOfCode = (secret: TotpSecret, code: string, nowMs: number): number | undefined => {
  if (!isTotpCode(code)) return undefined
  const delta = authenticator(secret).validate({ token: code, timestamp: nowMs, window: 1 })
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta
}

export const isTotpCode = (code: string): boolean => /^[0-9]{6}$/.test(code)

const authenticator = (secret: TotpSecret, account = ''): TOTP =>
  new TOTP({
    issuer,
    label: account,
    secret: Key.fromHex(Buffer.from(secret.reveal()).toString('hex')),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })
