import type { mnemonicLanguages, Mode } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'

export type MnemonicLanguage = (typeof mnemonicLanguages)[number]

/** m/44'/coinType'/account'/change'/index', all hardened (SLIP-0010). */
export type KeyPath = {
  readonly coinType: number
  readonly account: number
  readonly change: number
  readonly index: number
}

/** The root of a wallet as it lies in the database: of use only to the vault, and only for this wallet and mode. */
export type SealedRoot = Uint8Array

export type WalletRoot = { readonly walletId: string; readonly mode: Mode; readonly sealed: SealedRoot }

export type NewRoot = {
  readonly walletId: string
  readonly mode: Mode
  readonly language: MnemonicLanguage
  /** The BIP-39 passphrase. It is never kept: without it the mnemonic gives other keys. */
  readonly password?: Secret
}

/** What a person writes down: 24 words, or the seed that the words and the passphrase give (64 bytes). */
export type RootWords = { readonly mnemonic: Secret; readonly seed: Secret<Uint8Array> }

/**
 * Holds the roots of wallets, so that nobody else sees one. It stores nothing: whoever calls keeps `sealed` in the row
 * of the wallet. All methods are free of side effects and may be repeated; signing is deterministic (RFC 8032).
 *
 * `SealBroken`: the root was changed, belongs to another wallet or mode, or its key is not ours; a repetition cannot
 * help. `VaultUnavailable`: what holds the keys cannot be reached or refuses to open; a later call may succeed.
 */
export interface Vault extends AsyncDisposable {
  /** A new root of 256 random bits. */
  create(wanted: NewRoot): Promise<RootWords & { readonly sealed: SealedRoot }>
  /** Throws `MnemonicInvalid` for what is no mnemonic of this language. The words are not kept. */
  recover(
    wanted: NewRoot & { readonly mnemonic: Secret },
  ): Promise<RootWords & { readonly sealed: SealedRoot }>
  /** The words, for as long as they are kept. Throws `MnemonicGone` afterwards. */
  revealMnemonic(root: WalletRoot): Promise<RootWords>
  /** The same root without its words: it still signs. */
  withoutMnemonic(root: WalletRoot): Promise<SealedRoot>
  /** The public key at this path: Ed25519, 32 bytes. */
  derive(root: WalletRoot, path: KeyPath): Promise<Uint8Array>
  /** An Ed25519 signature of the message, 64 bytes. */
  sign(root: WalletRoot, path: KeyPath, message: Uint8Array): Promise<Uint8Array>
  /** Drops what is remembered of this wallet in memory. */
  forget(walletId: string): void
  /** The same root under the newest key, or undefined where it lies under that key already. */
  rewrap(root: WalletRoot): Promise<SealedRoot | undefined>
  /** Resolves when roots of this mode can be opened; rejects with `VaultUnavailable`, at the latest when `signal` aborts. */
  check(mode: Mode, signal: AbortSignal): Promise<void>
}

export class VaultUnavailable extends Error {
  override readonly name = 'VaultUnavailable'
}

export class MnemonicInvalid extends Error {
  override readonly name = 'MnemonicInvalid'
}

export class MnemonicGone extends Error {
  override readonly name = 'MnemonicGone'
}
