import type { mnemonicLanguages, Mode } from '@millseal/contract'
import { ExplainedError } from '../../lib/explained-error.ts'
import type { Secret } from '../../lib/secret.ts'

export type MnemonicLanguage = (typeof mnemonicLanguages)[number]

/** m/44'/coinType'/account'/change'/index', all hardened (SLIP-0010). */
export type KeyPath = {
  readonly coinType: number
  readonly account: number
  readonly change: number
  readonly index: number
}

/** The encrypted root of a wallet, as stored in the database. Only the vault can use it, and only for this wallet and mode. */
export type EncryptedRoot = Uint8Array

export type WalletRoot = { readonly walletId: string; readonly mode: Mode; readonly encrypted: EncryptedRoot }

export type NewRoot = {
  readonly walletId: string
  readonly mode: Mode
  readonly language: MnemonicLanguage
  /** The BIP-39 passphrase. It is never stored; without it the mnemonic gives different keys. */
  readonly password?: Secret
}

/** The 24 words that a person writes down, and the seed derived from them and the passphrase (64 bytes). */
export type RootWords = { readonly mnemonic: Secret; readonly seed: Secret<Uint8Array> }

/**
 * Protects the roots of wallets: no other part of the service sees one. It stores nothing: the caller stores `encrypted`, the
 * encrypted root, in the row of the wallet. No method has side effects, so all can be repeated. Signing is deterministic
 * (RFC 8032).
 *
 * `DecryptionFailed`: the root was changed, belongs to another wallet or mode, or was encrypted with a different key; a retry
 * cannot help. `VaultUnavailable`: the device that contains the keys cannot be reached or opened; a later call may succeed.
 */
export interface Vault extends AsyncDisposable {
  /** Creates a root of 256 random bits. */
  create(wanted: NewRoot): Promise<RootWords & { readonly encrypted: EncryptedRoot }>
  /** Throws `MnemonicInvalid` if the words are not a mnemonic of this language. The words are not stored. */
  recover(
    wanted: NewRoot & { readonly mnemonic: Secret },
  ): Promise<RootWords & { readonly encrypted: EncryptedRoot }>
  /** Returns the words as long as they are stored. Throws `MnemonicGone` afterwards. */
  revealMnemonic(root: WalletRoot): Promise<RootWords>
  /** Returns the same root without its words. It can still sign. */
  withoutMnemonic(root: WalletRoot): Promise<EncryptedRoot>
  /** The public key at this path: Ed25519, 32 bytes. */
  derive(root: WalletRoot, path: KeyPath): Promise<Uint8Array>
  /** An Ed25519 signature of the message, 64 bytes. */
  sign(root: WalletRoot, path: KeyPath, message: Uint8Array): Promise<Uint8Array>
  /** Deletes what is cached for this wallet in memory. */
  forget(walletId: string): void
  /** Re-encrypts the root with the newest key. Undefined if it is already encrypted with that key. */
  reEncrypt(root: WalletRoot): Promise<EncryptedRoot | undefined>
  /** Resolves if roots of this mode can be decrypted. Rejects with `VaultUnavailable`, at the latest when `signal` aborts. */
  check(mode: Mode, signal: AbortSignal): Promise<void>
}

export class VaultUnavailable extends ExplainedError {
  override readonly name = 'VaultUnavailable'
}

export class MnemonicInvalid extends Error {
  override readonly name = 'MnemonicInvalid'
}

export class MnemonicGone extends Error {
  override readonly name = 'MnemonicGone'
}
