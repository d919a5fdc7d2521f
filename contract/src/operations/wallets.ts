import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId } from '../shapes/common.ts'
import { Identity } from '../shapes/identities.ts'
import {
  CreateWallet,
  CreateWalletAddress,
  RecoverWallet,
  UpdateWallet,
  Wallet,
  WalletAddress,
  WalletWithKey,
} from '../shapes/wallets.ts'

const wallets = {
  service: 'km-service',
  variant: 'both',
  access: 'bearer',
  company: 'required',
  mode: 'query',
  liveGate: true,
} as const
const read = [{ resource: 'wallets', action: 'read_one' }] as const
const update = [{ resource: 'wallets', action: 'update_one' }] as const

export const createWallet = operation({
  ...wallets,
  id: 'wallets.create',
  method: 'POST',
  path: '/wallets',
  aliases: ['/wallet'],
  summary: 'Create a wallet',
  description:
    'A company has one wallet per mode. The mnemonic is the root of all its keys: write it down. It is shown here and once more by a backup.',
  scope: [{ resource: 'wallets', action: 'create_one' }],
  body: { kind: 'json', schema: CreateWallet, optional: true },
  answer: { kind: 'json', status: 201, schema: WalletWithKey },
  errors: ['language_unsupported', 'wallet_exists'],
  secrets: ['mnemonic', 'masterKey'],
})

export const readWallet = operation({
  ...wallets,
  id: 'wallets.read',
  method: 'GET',
  path: '/wallets/{id}',
  aliases: ['/wallet/{id}'],
  summary: 'Read a wallet',
  scope: read,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Wallet },
})

export const updateWallet = operation({
  ...wallets,
  id: 'wallets.update',
  method: 'PATCH',
  path: '/wallets/{id}',
  aliases: ['/wallet/{id}'],
  summary: 'Rename a wallet',
  scope: update,
  params: byId,
  body: { kind: 'json', schema: UpdateWallet },
  answer: { kind: 'json', status: 200, schema: Wallet },
  errors: ['id_mismatch'],
})

export const wipeWallet = operation({
  ...wallets,
  id: 'wallets.wipe',
  method: 'DELETE',
  path: '/wallets/{id}',
  aliases: ['/wallet/{id}'],
  summary: 'Delete the keys of a wallet',
  description:
    'Its identities become obsolete. The wallet stays disabled until you recover it with its mnemonic.',
  scope: [{ resource: 'wallets', action: 'delete_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Wallet },
})

export const listIdentitiesOfWallet = operation({
  ...wallets,
  id: 'wallets.list_identities',
  method: 'GET',
  path: '/wallets/{id}/identities',
  aliases: ['/wallet/{id}/identities'],
  summary: 'List the identities of a wallet',
  scope: read,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Identity) },
  list: true,
})

export const deriveWalletAddress = operation({
  ...wallets,
  id: 'wallets.derive_address',
  method: 'PATCH',
  path: '/wallets/{id}/address',
  aliases: ['/wallet/{id}/address'],
  summary: 'Derive a public key and DID',
  description: 'Does not create an identity.',
  scope: read,
  memberRole: 'read_only',
  params: byId,
  body: { kind: 'json', schema: CreateWalletAddress },
  answer: { kind: 'json', status: 200, schema: WalletAddress },
  errors: ['coin_type_unsupported', 'wallet_disabled'],
})

export const backUpWallet = operation({
  ...wallets,
  id: 'wallets.back_up',
  method: 'PATCH',
  path: '/wallets/{id}/backup',
  aliases: ['/wallet/{id}/backup'],
  summary: 'Show the mnemonic for a backup',
  description: 'Marks the wallet as backed up. After that, the mnemonic is never shown again.',
  scope: update,
  params: byId,
  answer: { kind: 'json', status: 200, schema: WalletWithKey },
  errors: ['wallet_backed_up', 'wallet_disabled', 'step_up_required'],
  secrets: ['mnemonic', 'masterKey'],
})

export const recoverWallet = operation({
  ...wallets,
  id: 'wallets.recover',
  method: 'PATCH',
  path: '/wallets/{id}/recover',
  aliases: ['/wallet/{id}/recover'],
  summary: 'Recover a wallet with its mnemonic',
  description: 'The same mnemonic gives the same keys. A different one replaces the old root.',
  scope: update,
  params: byId,
  body: { kind: 'json', schema: RecoverWallet },
  answer: { kind: 'json', status: 200, schema: WalletWithKey },
  errors: ['mnemonic_invalid', 'language_unsupported'],
  secrets: ['mnemonic', 'masterKey'],
})
