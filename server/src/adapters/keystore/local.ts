import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Secret } from '../../lib/secret.ts'
import { type Keystore, DecryptionFailed } from '../../ports/keystore/keystore.ts'

/** The key that encrypts, and others that only decrypt: earlier ones, or the next one. */
export type MasterKeys = { readonly current: Secret<Buffer>; readonly others: readonly Secret<Buffer>[] }

const format = 1
const keyIdBytes = 4
const ivBytes = 12
const tagBytes = 16
const headerBytes = 1 + keyIdBytes + ivBytes + tagBytes

export const createLocalKeystore = (masterKey: Secret<Buffer>, ...others: Secret<Buffer>[]): Keystore =>
  createKeystore(() => ({ current: masterKey, others }))

/** AES-256-GCM with keys in memory, read again at every use. Layout: format, key id, IV, tag, ciphertext. */
export const createKeystore = (keysNow: () => MasterKeys): Keystore => ({
  encrypt(plain, context) {
    const { current } = keysNow()
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', current.reveal(), iv).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.of(format), masterKeyId(current), iv, cipher.getAuthTag(), body])
  },
  decrypt(encrypted, context) {
    const bytes = Buffer.from(encrypted)
    if (bytes.length < headerBytes || bytes[0] !== format)
      throw new DecryptionFailed('This is not an encrypted value of Millseal')
    const iv = bytes.subarray(1 + keyIdBytes, 1 + keyIdBytes + ivBytes)
    const decipher = createDecipheriv('aes-256-gcm', keyFor(bytes, keysNow()).reveal(), iv)
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(headerBytes - tagBytes, headerBytes))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(headerBytes)), decipher.final()])
    } catch (cause) {
      throw new DecryptionFailed('The encrypted value was changed or belongs to another row', { cause })
    }
  },
  isCurrent(encrypted) {
    return encrypted[0] === format && idIn(encrypted).equals(masterKeyId(keysNow().current))
  },
})

/** Identifies the key without revealing it. */
export const masterKeyId = (key: Secret<Buffer>): Buffer =>
  createHash('sha256').update(key.reveal()).digest().subarray(0, keyIdBytes)

const idIn = (encrypted: Uint8Array): Buffer => Buffer.from(encrypted.subarray(1, 1 + keyIdBytes))

const keyFor = (encrypted: Buffer, { current, others }: MasterKeys): Secret<Buffer> => {
  const found = [current, ...others].find((key) => masterKeyId(key).equals(idIn(encrypted)))
  if (found !== undefined) return found
  throw new DecryptionFailed(
    `A stored secret was encrypted with another master key (${idIn(encrypted).toString('hex')}): put that key into master.key of the data folder, or set MILLSEAL_MASTER_KEY to it`,
  )
}
