import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { onOff } from '../vocabulary.ts'
import {
  CoinTypeValue,
  DerivationIndex,
  Id,
  input,
  ModeValue,
  oneOf,
  output,
  repeatedId,
  stored,
} from './common.ts'

const Name = Type.String(limits.walletName)
const Language = Type.String({
  ...limits.language,
  default: 'english',
  description: 'A BIP-39 word list',
})
const Password = Type.String({ maxLength: limits.password.maxLength, description: 'The BIP-39 passphrase' })

export const CreateWallet = input('CreateWalletKeyDto', {
  name: Type.Optional(Name),
  options: Type.Optional(
    input('CreateWalletOptionsDto', { language: Type.Optional(Language), password: Type.Optional(Password) }),
  ),
})
export type CreateWallet = Static<typeof CreateWallet>

export const UpdateWallet = input('UpdateWalletDto', { ...repeatedId, name: Type.Optional(Name) })
export type UpdateWallet = Static<typeof UpdateWallet>

export const RecoverWallet = input('RecoverWalletKeyDto', {
  mnemonic: Type.String(limits.mnemonic),
  language: Type.Optional(Language),
  password: Type.Optional(Password),
})
export type RecoverWallet = Static<typeof RecoverWallet>

/** A derivation or an identity. Flat, because inputs are never an anyOf. */
export const CreateWalletAddress = input(
  'CreateWalletAddressDto',
  {
    coinType: Type.Optional(CoinTypeValue),
    account: Type.Optional(DerivationIndex),
    index: Type.Optional(DerivationIndex),
    change: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, default: 0 })),
    identity: Type.Optional(input('IdentityReferenceDto', { id: Id })),
  },
  { description: 'Send coinType, account and index, or an identity.' },
)
export type CreateWalletAddress = Static<typeof CreateWalletAddress>

export const WalletAddress = output('WalletAddressDto', {
  publicKey: Type.String(limits.publicKey),
  did: Type.String(limits.did),
})
export type WalletAddress = Static<typeof WalletAddress>

const wallet = {
  ...stored,
  name: Name,
  connectionUrl: Type.String({ description: 'The address of the wallet' }),
  backedUp: Type.Boolean(),
  status: oneOf(onOff),
  mode: ModeValue,
  language: Type.String(limits.language),
  owner: Id,
  identities: Type.Array(Id),
}

export const Wallet = output('WalletDto', wallet)
export type Wallet = Static<typeof Wallet>

export const MasterKey = output('MasterKeyDto', {
  mnemonic: Type.String(limits.mnemonic),
  seedHex: Type.Optional(Type.String({ description: 'Only in answers of the earlier path /wallet' })),
  language: Type.String(limits.language),
})
export type MasterKey = Static<typeof MasterKey>

export const WalletWithKey = output('WalletWithKeyDto', {
  ...wallet,
  mnemonic: Type.String({
    ...limits.mnemonic,
    description: 'The root of all keys of the wallet',
  }),
  wallet: Wallet,
  masterKey: MasterKey,
})
export type WalletWithKey = Static<typeof WalletWithKey>
