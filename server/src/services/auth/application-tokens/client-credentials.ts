import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../../../lib/secret.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const clientIdLength = 32
const secretBytes = 32
/** Characters it takes to write 256 bits, and the 32 of the checksum. */
const secretLength = 43
const checksumLength = 6
const prefix = 'mss_'

export const newClientId = (): string =>
  Array.from({ length: clientIdLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/**
 * 256 random bits behind a prefix and before a checksum: whoever scans repositories and logs for leaked secrets can tell
 * one of ours from any other string. Letters and digits alone, so that no form and no header needs to escape it.
 */
export const newClientSecret = (): Secret => {
  const random = written(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretLength)
  return new Secret(`${prefix}${random}${checksumOf(random)}`)
}

export const checksumOf = (random: string): string => written(BigInt(crc32(random)), checksumLength)

export const hashClientSecret = (secret: Secret): Buffer =>
  createHash('sha256').update(secret.reveal()).digest()

/** In the same time whether or not there is an application to compare with. */
export const isClientSecret = (secret: Secret, hash: Uint8Array | undefined): boolean => {
  const matches = timingSafeEqual(hashClientSecret(secret), hash ?? nobodysHash)
  return matches && hash !== undefined
}

const nobodysHash = randomBytes(32)

const written = (value: bigint, length: number): string => {
  const base = BigInt(alphabet.length)
  let text = ''
  for (let rest = value; rest > 0n; rest /= base) text = alphabet.charAt(Number(rest % base)) + text
  return text.padStart(length, alphabet.charAt(0))
}
