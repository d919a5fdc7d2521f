import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import {
  type Correction,
  correctionType,
  didOf,
  readCorrection,
  signCreate,
  type SignedTransaction,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** An Ed25519 key that may revoke another one: docs/keys.md. */
export type RecoveryKey = { readonly publicKey: Uint8Array; readonly privateKey: KeyObject }

/** Writes a new key as PKCS #8 in PEM, for its owner only. Refuses to replace a file. */
export const createRecoveryKey = async (path: string): Promise<RecoveryKey> => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  await writeFile(path, pem, { flag: 'wx', mode: 0o600 }).catch((cause: unknown) => {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    throw new Error(exists ? `${path} exists already` : `${path} cannot be written`, { cause })
  })
  return withPublicKey(privateKey)
}

export const readRecoveryKey = async (path: string): Promise<RecoveryKey> => {
  const pem = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${path} does not exist, or cannot be read`, { cause })
  })
  const privateKey = asPrivateKey(pem)
  if (privateKey?.asymmetricKeyType !== 'ed25519')
    throw new Error(`${path} is not an Ed25519 private key in PEM`)
  return withPublicKey(privateKey)
}

const asPrivateKey = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

const withPublicKey = (privateKey: KeyObject): RecoveryKey => {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { publicKey: new Uint8Array(Buffer.from(x, 'base64url')), privateKey }
}

export const didOfRecoveryKey = ({ publicKey }: RecoveryKey): string => didOf(publicKey)

/** Throws `InvalidTransaction` for values that no log accepts. The same values give the same transaction. */
export const signRevocation = (
  { publicKey, privateKey }: RecoveryKey,
  revocation: Omit<Extract<Correction, { action: 'revoke-key' }>, 'action'>,
): SignedTransaction => {
  const asset = { type: correctionType, action: 'revoke-key', ...revocation }
  const signer = { publicKey, sign: (message: Uint8Array) => sign(null, message, privateKey) }
  const complete = signCreate(asset, signer, nodePrimitives)
  readCorrection(complete)
  return complete
}
