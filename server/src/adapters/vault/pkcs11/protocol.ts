import type { Mode } from '@millseal/contract'
import { DecryptionFailed } from '../../../ports/keystore/keystore.ts'
import {
  type KeyPath,
  MnemonicGone,
  MnemonicInvalid,
  type MnemonicLanguage,
  VaultUnavailable,
  type WalletRoot,
} from '../../../ports/vault/vault.ts'
import type { RootContents } from '../envelope.ts'
import { PinRefused } from './cryptoki.ts'
import type { TokenSignature } from './sign-digest.ts'
import type { TokenSettings } from './token.ts'

/** The messages between the server and its signer process, over a private pipe. */

export type WantedRoot = {
  readonly walletId: string
  readonly mode: Mode
  readonly language: MnemonicLanguage
  readonly password?: string
}

export type Root = { readonly encrypted: Uint8Array; readonly mnemonic: string; readonly seed: Uint8Array }

/** All calls can be repeated; only `makeNewKey` has a side effect. */
export type Calls = {
  create: { readonly given: WantedRoot; readonly answer: Root }
  recover: { readonly given: WantedRoot & { readonly mnemonic: string }; readonly answer: Root }
  revealMnemonic: { readonly given: WalletRoot; readonly answer: Omit<Root, 'encrypted'> }
  withoutMnemonic: { readonly given: WalletRoot; readonly answer: Uint8Array }
  derive: {
    readonly given: { readonly root: WalletRoot; readonly path: KeyPath }
    readonly answer: Uint8Array
  }
  sign: {
    readonly given: { readonly root: WalletRoot; readonly path: KeyPath; readonly message: Uint8Array }
    readonly answer: Uint8Array
  }
  /** Encrypts a root with the key of the token that was encrypted with the master key before. */
  adopt: {
    readonly given: Omit<WalletRoot, 'encrypted'> & { readonly contents: RootContents }
    readonly answer: Uint8Array
  }
  reEncrypt: { readonly given: WalletRoot; readonly answer: Uint8Array | undefined }
  signDigest: { readonly given: TokenSignature; readonly answer: Uint8Array }
  forget: { readonly given: string; readonly answer: undefined }
  check: { readonly given: undefined; readonly answer: undefined }
  makeNewKey: { readonly given: undefined; readonly answer: undefined }
}
export type Method = keyof Calls

export type Request = { readonly id: number; readonly method: Method; readonly given: unknown }
export type ToSigner = { readonly open: TokenSettings } | Request

export type FailureName =
  | 'DecryptionFailed'
  | 'VaultUnavailable'
  | 'PinRefused'
  | 'MnemonicInvalid'
  | 'MnemonicGone'
export type Failure = { readonly name: FailureName | 'Error'; readonly message: string }

export type FromSigner =
  | { readonly opened: true }
  | { readonly refused: Failure }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: Failure }

const errors = {
  DecryptionFailed,
  VaultUnavailable,
  PinRefused,
  MnemonicInvalid,
  MnemonicGone,
  Error,
} as const

export const errorOf = ({ name, message }: Failure): Error => {
  const Kind: new (message: string) => Error = errors[name]
  return new Kind(message)
}

export const failureOf = (error: unknown): Failure => {
  const kinds = Object.keys(errors) as Failure['name'][]
  return {
    name: kinds.find((name) => error instanceof Error && error.constructor === errors[name]) ?? 'Error',
    message: error instanceof Error ? error.message : String(error),
  }
}
