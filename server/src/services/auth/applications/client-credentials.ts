import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../../../lib/secret.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const clientIdLength = 32
const secretBytes = 32
/** The lengths of 256 bits and of a 32-bit checksum in base 62. */
const secretLength = 43
const checksumLength = 6
const prefix = 'mss_'

export const newClientId = (): string =>
  Array.from({ length: clientIdLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/**
 * 256 random bits between a prefix and a checksum, by which scanners of repositories and logs recognize a leaked secret.
 * Only letters and digits, so no form and no header needs to escape it.
 */
export const newClientSecret = (): Secret => {
  const random = inBase62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretLength)
  return new Secret(`${prefix}${random}${checksumOf(random)}`)
}

export const checksumOf = (random: string): string => inBase62(BigInt(crc32(random)), checksumLength)

export const hashClientSecret = (secret: Secret): Buffer =>
  createHash('sha256').update(secret.reveal()).digest()

/** Takes the same time whether or not there is an application to compare with. */
export const isClientSecret = (secret: Secret, hash: Uint8Array | undefined): boolean => {
  const matches = timingSafeEqual(hashClientSecret(secret), hash ?? dummyHash)
  return matches && hash !== undefined
}

const dummyHash = randomBytes(32)

const inBase62 = (value: bigint, length: number): string => {
  const base = BigInt(alphabet.length)
  let text = ''
  for (let rest = value; rest > 0n; rest /= base) text = alphabet.charAt(Number(rest % base)) + text
  return text.padStart(length, alphabet.charAt(0))
}
