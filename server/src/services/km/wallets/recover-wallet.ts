import type { operations, WalletWithKey } from '@millseal/contract'
import { encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { MnemonicInvalid, type WalletRoot } from '../../../ports/vault/vault.ts'
import { changeStatuses } from '../identities/change-statuses.ts'
import type { StoredIdentity } from '../identities/identities.store.ts'
import type { KmDependencies } from '../dependencies.ts'
import { holdWallet } from './hold-wallet.ts'
import { readLanguage } from './mnemonic-language.ts'
import { recordChange } from './record-change.ts'
import { toWalletResponse, toWalletWithKey } from './wallet-response.ts'
import { findWallet, saveWallet } from './wallets.store.ts'

/**
 * Takes the root that these words give. Identities whose keys it derives are valid again, all others become obsolete.
 * Who knows the words has a backup, so they are not kept.
 */
export const recoverWallet =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.recoverWallet>): Promise<WalletWithKey> => {
    const { params, companyId, mode } = call
    const language = readLanguage(call.body.language)
    const walletId = params.id.toLowerCase()
    const found = await findWallet(deps.database.query, { id: walletId, companyId, mode })
    if (found === undefined) throw new Problem('not_found')
    const root = await openWords(deps, call.body, { walletId, mode, language })
    const statusOf = async (identity: StoredIdentity) => {
      const key = await deps.vault.derive({ walletId, mode, sealed: root.sealed }, identity)
      return encodeBase58(key) === identity.publicKey ? 'valid' : 'obsolete'
    }
    const recovered = await call.commit(async (tx) => {
      const stored = await holdWallet(tx, call)
      const now = new Date(deps.clock.now())
      await changeStatuses(deps)(tx, { wallet: stored, statusOf })
      const saved = await saveWallet(
        tx,
        { ...stored, language, sealedRoot: root.sealed, backedUpAt: stored.backedUpAt ?? now },
        now,
      )
      const wallet = toWalletResponse(saved, deps.publicUrl())
      const change = { action: 'wallets.recover', event: 'update_one', wallet } as const
      await recordChange(deps, tx, { by: call, change })
      return toWalletWithKey(wallet, root, call)
    })
    deps.vault.forget(walletId)
    return recovered
  }

type GivenWords = { readonly mnemonic: string; readonly password?: string }

const openWords = async (
  { vault }: KmDependencies,
  { mnemonic, password }: GivenWords,
  wanted: Pick<WalletRoot, 'walletId' | 'mode'> & { language: ReturnType<typeof readLanguage> },
) => {
  try {
    return await vault.recover({
      ...wanted,
      mnemonic: new Secret(mnemonic),
      ...(password === undefined ? {} : { password: new Secret(password) }),
    })
  } catch (cause) {
    if (!(cause instanceof MnemonicInvalid)) throw cause
    throw new Problem('mnemonic_invalid', {
      details: [`/mnemonic is not made of 12 to 24 words of the list ${wanted.language} with their checksum`],
      cause,
    })
  }
}
