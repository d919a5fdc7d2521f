import { randomBytes } from 'node:crypto'
import type Pkcs11 from 'pkcs11js'
import { DecryptionFailed } from '../../../ports/keystore/keystore.ts'
import { VaultUnavailable } from '../../../ports/vault/vault.ts'
import { type KeyWrapper, wrapperKinds } from '../envelope.ts'
import { type Cryptoki, describeFailure, PinRefused } from './cryptoki.ts'
import { signDigest, type TokenSignature } from './sign-digest.ts'
import { findKeys, type KeyPlace, makeKey, type TokenKey } from './token-keys.ts'

export type TokenSettings = {
  /** The PKCS#11 library of the token: a path. */
  readonly module: string
  readonly token: string
  readonly pin: string
  readonly keyLabel: string
}

export type Token = KeyWrapper & {
  /** Throws `VaultUnavailable` if the token does not encrypt. */
  check(): void
  /** Throws `VaultUnavailable`, also if it lacks the key. */
  signDigest(wanted: TokenSignature): Uint8Array
  /** Creates the key that wraps from now on; earlier keys still unwrap. */
  makeNewKey(): void
}

const ivBytes = 12
const tagBytes = 16

/**
 * Wraps data keys with an AES key that never leaves the token (AES-256-GCM). Creates the key if there is none.
 * Layout of a wrapped key: length of the key id, key id, IV, ciphertext and tag.
 */
export const openToken = (cryptoki: Cryptoki, settings: TokenSettings): Token => {
  const session = openSession(cryptoki, settings)
  const place: KeyPlace = { cryptoki, session, label: settings.keyLabel }
  const { pkcs11, constants } = cryptoki
  let keys = findKeys(place)
  if (keys.length === 0) keys = [makeKey(place, keys)]

  const newest = (): TokenKey => newestOf(keys)
  const keyNamed = (id: Buffer): TokenKey => {
    const isNamed = (key: TokenKey) => key.id.equals(id)
    // Another process may have created the key.
    if (!keys.some(isNamed)) keys = findKeys(place)
    const found = keys.find(isNamed)
    if (found !== undefined) return found
    throw new DecryptionFailed(`The PKCS#11 token has no key ${id.toString('hex')} with this label`)
  }
  const encrypt = (key: TokenKey, plain: Buffer, context: string): Buffer => {
    const iv = randomBytes(ivBytes)
    pkcs11.C_EncryptInit(session, gcm(constants, iv, context), key.handle)
    const body = pkcs11.C_Encrypt(session, plain, Buffer.alloc(plain.length + tagBytes))
    return Buffer.concat([Buffer.of(key.id.length), key.id, iv, body])
  }
  const check = (): void => {
    try {
      encrypt(newest(), Buffer.alloc(tagBytes), 'check')
    } catch (cause) {
      throw new VaultUnavailable(describeFailure('The PKCS#11 token does not answer', cause), { cause })
    }
  }

  return {
    kind: wrapperKinds.token,
    wrap(dataKey, context) {
      try {
        return encrypt(newest(), Buffer.from(dataKey), context)
      } catch (cause) {
        throw new VaultUnavailable(describeFailure('The PKCS#11 token does not encrypt', cause), { cause })
      }
    },
    unwrap(wrapped, context) {
      const { id, iv, body } = split(wrapped)
      const key = keyNamed(id)
      try {
        pkcs11.C_DecryptInit(session, gcm(constants, iv, context), key.handle)
        return pkcs11.C_Decrypt(session, body, Buffer.alloc(body.length))
      } catch (cause) {
        // Tokens report changed bytes and internal failures alike, so check whether the token works at all.
        check()
        throw new DecryptionFailed('The wrapped key was changed or belongs to another wallet', { cause })
      }
    },
    isCurrent: (wrapped) => split(wrapped).id.equals(newest().id),
    check,
    signDigest: (wanted) => signDigest({ cryptoki, session }, wanted),
    makeNewKey() {
      keys = findKeys(place)
      keys = [...keys, makeKey(place, keys)]
    },
  }
}

const newestOf = (keys: readonly TokenKey[]): TokenKey => {
  const key = keys.at(-1)
  if (key === undefined) throw new VaultUnavailable('The PKCS#11 token has no key')
  return key
}

const gcm = (constants: Cryptoki['constants'], iv: Buffer, context: string): Pkcs11.Mechanism => {
  const aad = Buffer.from(context)
  const type = constants.CK_PARAMS_AES_GCM
  const parameter: Pkcs11.AesGCM = { type, iv, ivBits: ivBytes * 8, aad, tagBits: tagBytes * 8 }
  return { mechanism: constants.CKM_AES_GCM, parameter }
}

const split = (wrapped: Uint8Array) => {
  const bytes = Buffer.from(wrapped)
  const afterId = 1 + (bytes[0] ?? 0)
  const afterIv = afterId + ivBytes
  if (bytes.length <= afterIv + tagBytes)
    throw new DecryptionFailed('This is not a key that a PKCS#11 token has wrapped')
  return {
    id: bytes.subarray(1, afterId),
    iv: bytes.subarray(afterId, afterIv),
    body: bytes.subarray(afterIv),
  }
}

const openSession = ({ pkcs11, constants }: Cryptoki, { token, pin }: TokenSettings): Buffer => {
  const slots = pkcs11.C_GetSlotList(true)
  const slot = slots.find((one) => pkcs11.C_GetTokenInfo(one).label.trim() === token)
  if (slot === undefined) throw new VaultUnavailable(`There is no PKCS#11 token "${token}" in any slot`)
  const session = pkcs11.C_OpenSession(slot, constants.CKF_RW_SESSION | constants.CKF_SERIAL_SESSION)
  try {
    pkcs11.C_Login(session, constants.CKU_USER, pin)
  } catch (cause) {
    const message = describeFailure(`The PKCS#11 token "${token}" refuses to log in`, cause)
    throw /CKR_PIN/.test(message) ? new PinRefused(message) : new VaultUnavailable(message, { cause })
  }
  return session
}
