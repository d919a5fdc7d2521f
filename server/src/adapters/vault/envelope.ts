import type { Mode } from '@millseal/contract'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DecryptionFailed } from '../../ports/keystore/keystore.ts'
import type { MnemonicLanguage, WalletRoot } from '../../ports/vault/vault.ts'

/** Encrypts the data key of a wallet with a key that is not in the database. */
export interface KeyWrapper {
  /** Part of the envelope, to distinguish another kind of key from corrupt data. */
  readonly kind: WrapperKind
  /** Throws `VaultUnavailable` if the key is not available. */
  wrap(dataKey: Uint8Array, context: string): Uint8Array
  /** Throws `DecryptionFailed` for another key, another context or changed bytes; otherwise like `wrap`. */
  unwrap(wrapped: Uint8Array, context: string): Uint8Array
  isCurrent(wrapped: Uint8Array): boolean
}

export const wrapperKinds = { masterKey: 1, token: 2 } as const
export type WrapperKind = (typeof wrapperKinds)[keyof typeof wrapperKinds]

/** The seed, and the mnemonic until it is backed up. */
export type RootContents = {
  readonly seed: Buffer
  readonly words?: { readonly entropy: Buffer; readonly language: MnemonicLanguage }
}

const format = 1
const seedBytes = 64
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const headerBytes = 4

type Place = { readonly walletId: string; readonly mode: Mode }

const contextOf = ({ walletId, mode }: Place): string => `wallets/${walletId}/${mode}`

/**
 * Encrypts with AES-256-GCM and a wrapped data key per wallet. Both layers authenticate wallet and mode.
 * Layout: format, kind of the wrapping key, length of the wrapped key (2 bytes), the wrapped key, IV, tag, ciphertext.
 */
export const encryptRoot = (contents: RootContents, place: Place, wrapper: KeyWrapper): Buffer => {
  const context = contextOf(place)
  const dataKey = randomBytes(keyBytes)
  const plain = encode(contents)
  try {
    const wrapped = wrapper.wrap(dataKey, context)
    const header = Buffer.alloc(headerBytes)
    header.writeUInt8(format, 0)
    header.writeUInt8(wrapper.kind, 1)
    header.writeUInt16BE(wrapped.length, 2)
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([header, wrapped, iv, cipher.getAuthTag(), body])
  } finally {
    dataKey.fill(0)
    plain.fill(0)
  }
}

/** Throws `DecryptionFailed` for anything that `encryptRoot` did not write for this place with this kind of key. */
export const decryptRoot = (root: WalletRoot, wrapper: KeyWrapper): RootContents => {
  const context = contextOf(root)
  const { kind, wrapped, iv, tag, body } = split(root.encrypted)
  if (kind !== wrapper.kind) {
    throw new DecryptionFailed(
      kind === wrapperKinds.token
        ? 'The root of this wallet is encrypted with a PKCS#11 token: check MILLSEAL_PKCS11_MODULE'
        : 'The root of this wallet is encrypted with the master key, not with the PKCS#11 token',
    )
  }
  const dataKey = wrapper.unwrap(wrapped, context)
  try {
    const decipher = createDecipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(context)).setAuthTag(tag)
    return decode(Buffer.concat([decipher.update(body), decipher.final()]))
  } catch (cause) {
    throw new DecryptionFailed('The root of this wallet was changed', { cause })
  } finally {
    dataKey.fill(0)
  }
}

export const kindOf = (encrypted: Uint8Array): number => split(encrypted).kind

export const isCurrentRoot = (encrypted: Uint8Array, wrapper: KeyWrapper): boolean => {
  const { kind, wrapped } = split(encrypted)
  return kind === wrapper.kind && wrapper.isCurrent(wrapped)
}

const split = (encrypted: Uint8Array) => {
  const bytes = Buffer.from(encrypted)
  if (bytes.length < headerBytes || bytes[0] !== format)
    throw new DecryptionFailed('Not the root of a wallet')
  const afterKey = headerBytes + bytes.readUInt16BE(2)
  const afterTag = afterKey + ivBytes + tagBytes
  if (bytes.length < afterTag + seedBytes) throw new DecryptionFailed('The root of this wallet is truncated')
  return {
    kind: bytes.readUInt8(1),
    wrapped: bytes.subarray(headerBytes, afterKey),
    iv: bytes.subarray(afterKey, afterKey + ivBytes),
    tag: bytes.subarray(afterKey + ivBytes, afterTag),
    body: bytes.subarray(afterTag),
  }
}

/** Layout: seed; if the mnemonic is stored also the length of the language name, the language name and the entropy. */
const encode = ({ seed, words }: RootContents): Buffer => {
  if (words === undefined) return Buffer.from(seed)
  const language = Buffer.from(words.language)
  return Buffer.concat([seed, Buffer.of(language.length), language, words.entropy])
}

const decode = (plain: Buffer): RootContents => {
  const seed = plain.subarray(0, seedBytes)
  if (plain.length === seedBytes) return { seed }
  const afterLanguage = seedBytes + 1 + plain.readUInt8(seedBytes)
  const language = plain.toString('utf8', seedBytes + 1, afterLanguage) as MnemonicLanguage
  return { seed, words: { language, entropy: plain.subarray(afterLanguage) } }
}
