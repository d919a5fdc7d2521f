import type { Wallet, WalletWithKey } from '@millseal/contract'
import type { RootWords } from '../../../ports/vault/vault.ts'
import type { StoredWallet } from '../keys/wallets.store.ts'

/** What members of the company may see of a wallet. It never contains the root. */
export const toWalletResponse = (wallet: StoredWallet, publicUrl: string): Wallet => ({
  id: wallet.id,
  createdAt: wallet.createdAt.toISOString(),
  updatedAt: wallet.updatedAt.toISOString(),
  name: wallet.name,
  connectionUrl: `${publicUrl}/api/wallets/${wallet.id}`,
  backedUp: wallet.backedUpAt !== null,
  status: wallet.encryptedRoot === null ? 'disabled' : 'enabled',
  mode: wallet.mode,
  language: wallet.language,
  owner: wallet.companyId,
  identities: [...wallet.identities],
})

/** With the mnemonic. Clients of the earlier variant, which call `/wallet`, also get the seed. */
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
    seedHex: /^\/wallet(\/|$)/.test(calledAs) ? Buffer.from(seed.reveal()).toString('hex') : undefined,
  },
})
