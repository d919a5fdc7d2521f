import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import type { Secret } from './secret.ts'

const magic = Buffer.from('millseal backup 1\n')
const saltBytes = 32
const macBytes = 32
const headerBytes = magic.length + saltBytes + macBytes
const chunkBytes = 65_536
const tagBytes = 16

/** 128 MiB and about half a second for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

/** The content cannot be decrypted. The message says why, without the name of the file. */
export class NotDecryptable extends Error {
  override readonly name = 'NotDecryptable'
}

type Bytes = AsyncIterable<Uint8Array>

/**
 * Encrypts with a passphrase: scrypt, then AES-256-GCM in chunks whose nonce is their number and whether they are the last
 * (STREAM, Hoang et al. 2015), so that chunks cannot be left out, moved or cut off.
 */
export const encryptStream = async function* (plain: Bytes, passphrase: Secret): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const { headerKey, bodyKey } = keysOf(passphrase, salt)
  yield Buffer.concat([magic, salt, macOf(headerKey, salt)])
  for await (const { bytes, number, isLast } of chunksOf(plain, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', bodyKey, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    })
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Throws `NotDecryptable` for another passphrase and for anything that was changed. Until it ends, the end may be missing. */
export const decryptStream = async function* (encrypted: Bytes, passphrase: Secret): AsyncGenerator<Buffer> {
  const source = encrypted[Symbol.asyncIterator]()
  const { head, rest } = await takeHead(source)
  const salt = head.subarray(magic.length, magic.length + saltBytes)
  if (head.length < headerBytes || !head.subarray(0, magic.length).equals(magic))
    throw new NotDecryptable('is not an encrypted backup')
  const { headerKey, bodyKey } = keysOf(passphrase, salt)
  if (!timingSafeEqual(head.subarray(-macBytes), macOf(headerKey, salt)))
    throw new NotDecryptable('was encrypted with another key')
  for await (const { bytes, number, isLast } of chunksOf(following(rest, source), chunkBytes + tagBytes)) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', bodyKey, nonceOf(number, isLast), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      yield Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
    } catch (cause) {
      throw new NotDecryptable('is damaged, or its end is missing', { cause })
    }
  }
}

const keysOf = (passphrase: Secret, salt: Uint8Array) => {
  const secret = scryptSync(passphrase.reveal(), salt, 32, cost)
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'millseal backup', 64))
  return { headerKey: keys.subarray(0, 32), bodyKey: keys.subarray(32) }
}

const macOf = (key: Buffer, salt: Uint8Array): Buffer =>
  createHmac('sha256', key).update(magic).update(salt).digest()

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** All chunks but the last have this size. There is always a last one, which may be empty. */
const chunksOf = async function* (
  source: Bytes,
  size: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly number: number; readonly isLast: boolean }> {
  let waiting: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const part of source) {
    waiting = Buffer.concat([waiting, part])
    for (; waiting.length > size; number += 1) {
      yield { bytes: waiting.subarray(0, size), number, isLast: false }
      waiting = waiting.subarray(size)
    }
  }
  yield { bytes: waiting, number, isLast: true }
}

const takeHead = async (source: AsyncIterator<Uint8Array>): Promise<{ head: Buffer; rest: Buffer }> => {
  let found: Buffer = Buffer.alloc(0)
  while (found.length < headerBytes) {
    const next = await source.next()
    if (next.done === true) break
    found = Buffer.concat([found, next.value])
  }
  return { head: found.subarray(0, headerBytes), rest: found.subarray(headerBytes) }
}

const following = async function* (
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
}
