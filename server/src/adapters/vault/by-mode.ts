import type { Mode } from '@millseal/contract'
import type { Vault } from '../../ports/vault/vault.ts'

/** One vault that passes each call to the vault of its mode. */
export const createVaultByMode = (vaults: Readonly<Record<Mode, Vault>>): Vault => ({
  create: (wanted) => vaults[wanted.mode].create(wanted),
  recover: (wanted) => vaults[wanted.mode].recover(wanted),
  revealMnemonic: (root) => vaults[root.mode].revealMnemonic(root),
  withoutMnemonic: (root) => vaults[root.mode].withoutMnemonic(root),
  derive: (root, path) => vaults[root.mode].derive(root, path),
  sign: (root, path, message) => vaults[root.mode].sign(root, path, message),
  forget(walletId) {
    for (const vault of Object.values(vaults)) vault.forget(walletId)
  },
  reEncrypt: (root) => vaults[root.mode].reEncrypt(root),
  check: (mode, signal) => vaults[mode].check(mode, signal),
  async [Symbol.asyncDispose]() {
    for (const vault of new Set(Object.values(vaults))) await vault[Symbol.asyncDispose]()
  },
})
