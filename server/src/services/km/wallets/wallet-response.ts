import type { Wallet, WalletWithKey } from '@millseal/contract'
import type { RootWords } from '../../../ports/vault/vault.ts'
import type { StoredWallet } from './wallets.store.ts'

/** What everybody of the company may see of a wallet; its root is never part of it. */
export const toWalletResponse = (wallet: StoredWallet, publicUrl: string): Wallet => ({
  id: wallet.id,
  createdAt: wallet.createdAt.toISOString(),
  updatedAt: wallet.updatedAt.toISOString(),
  name: wallet.name,
  connectionUrl: `${publicUrl}/api/wallets/${wallet.id}`,
  backedUp: wallet.backedUpAt !== undefined,
  status: wallet.sealedRoot === undefined ? 'disabled' : 'enabled',
  mode: wallet.mode,
  language: wallet.language,
  owner: wallet.companyId,
  identities: [...wallet.identities],
})

/** With the words, where they are shown. Clients of the earlier variant, which call `/wallet`, are given the seed too. */
export const toWalletWithKey = (
  wallet: Wallet,
  { mnemonic, seed }: RootWords,
  { calledAs }: { readonly calledAs: string },
): WalletWithKey => ({
  ...wallet,
  mnemonic: mnemonic.reveal(),
  wallet,
  masterKey: {
    mnemonic: mnemonic.reveal(),
    language: wallet.language,
    ...(/^\/wallet(\/|$)/.test(calledAs) ? { seedHex: Buffer.from(seed.reveal()).toString('hex') } : {}),
  },
})
