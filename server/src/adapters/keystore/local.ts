import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../../lib/secret.ts'
import { type Keystore, SealBroken } from '../../ports/keystore/keystore.ts'

const format = 1
const keyIdBytes = 4
const ivBytes = 12
const tagBytes = 16
const headerBytes = 1 + keyIdBytes + ivBytes + tagBytes

/** AES-256-GCM under a key held in memory. Layout: format, key id, IV, tag, ciphertext. */
export const createLocalKeystore = (masterKey: Secret<Buffer>): Keystore => {
  const keyId = createHash('sha256').update(masterKey.reveal()).digest().subarray(0, keyIdBytes)
  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', masterKey.reveal(), iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(format), keyId, iv, cipher.getAuthTag(), body])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < headerBytes || bytes[0] !== format) throw new SealBroken('Not a sealed value')
      if (!bytes.subarray(1, 1 + keyIdBytes).equals(keyId)) {
        throw new SealBroken('Sealed under another master key: check MILLSEAL_MASTER_KEY or the key file')
      }
      const iv = bytes.subarray(1 + keyIdBytes, 1 + keyIdBytes + ivBytes)
      const decipher = createDecipheriv('aes-256-gcm', masterKey.reveal(), iv)
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(headerBytes - tagBytes, headerBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headerBytes)), decipher.final()])
      } catch (cause) {
        throw new SealBroken('The sealed value was changed or belongs elsewhere', { cause })
      }
    },
  }
}

/** The key of the embedded default: a file only its owner can read, made on first use. Safe for two starts at once. */
export const ensureMasterKeyFile = (dataDir: string): Secret<Buffer> => {
  const file = join(dataDir, 'master.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const fresh = join(dataDir, `.master.key.${process.pid}`)
  writeFileSync(fresh, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(fresh, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh)
  }
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes in base64`)
  return new Secret(key)
}
