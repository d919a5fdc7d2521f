import { createHash, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { Pkcs11Vault } from '../vault/pkcs11/pkcs11.ts'

/** Signs with SHA-256: PKCS #1 v1.5, or ECDSA as a sequence of two integers. Throws `VaultUnavailable`. */
export type SealKey = (message: Uint8Array) => Promise<Uint8Array>

const signLater = promisify(sign)

export const keyInFile =
  (key: KeyObject): SealKey =>
  (message) =>
    signLater('sha256', message, key)

/** A private key that never leaves the token, by its label. */
export const keyInToken =
  (token: Pkcs11Vault, key: { readonly label: string; readonly kind: 'rsa' | 'ec' }): SealKey =>
  (message) =>
    token.signDigest({ ...key, digest: createHash('sha256').update(message).digest() })
