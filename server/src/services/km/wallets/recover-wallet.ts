import type { operations, WalletWithKey } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { MnemonicInvalid, type NewRoot } from '../../../ports/vault/vault.ts'
import type { KmDependencies } from '../dependencies.ts'
import { changeStatuses } from '../identities/change-statuses.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'
import { readLanguage } from './mnemonic-language.ts'
import { recordWalletChange } from './record-wallet-change.ts'
import { lockRequiredWallet, requireWallet } from './require-wallet.ts'
import { toWalletWithKey } from './wallet-response.ts'
import { saveWallet } from '../keys/wallets.store.ts'

/**
 * Replaces the root of the wallet by the one that the mnemonic gives. Identities whose keys it derives are valid again;
 * all others become obsolete. The mnemonic is not stored: the caller obviously has a backup.
 */
export const recoverWallet = async (
  deps: KmDependencies,
  call: Call<typeof operations.recoverWallet>,
): Promise<WalletWithKey> => {
  const { body, mode } = call
  const language = readLanguage(body.language)
  const { id: walletId } = await requireWallet(deps.database.query, call)
  const root = await recoverRoot(deps, {
    walletId,
    mode,
    language,
    mnemonic: new Secret(body.mnemonic),
    password: body.password === undefined ? undefined : new Secret(body.password),
  })
  const statusOf = async (identity: StoredIdentity) => {
    const key = await deps.vault.derive({ walletId, mode, encrypted: root.encrypted }, identity)
    return encodeBase58(key) === identity.publicKey ? 'valid' : 'obsolete'
  }
  const recovered = await call.commit(async (tx) => {
    const before = await lockRequiredWallet(tx, call)
    const now = new Date(deps.clock.now())
    await changeStatuses(deps, tx, { wallet: before, statusOf })
    const backedUpAt = before.backedUpAt ?? now
    const stored = await saveWallet(
      tx,
      { ...before, language, encryptedRoot: root.encrypted, backedUpAt },
      now,
    )
    const change = { call, action: 'wallets.recover', event: 'update_one', stored } as const
    return toWalletWithKey(await recordWalletChange(deps, tx, change), root, call)
  })
  deps.vault.forget(walletId)
  return recovered
}

const recoverRoot = async ({ vault }: KmDependencies, wanted: NewRoot & { readonly mnemonic: Secret }) => {
  try {
    return await vault.recover(wanted)
  } catch (cause) {
    if (!(cause instanceof MnemonicInvalid)) throw cause
    throw new Problem('mnemonic_invalid', {
      reasons: [because('mnemonic_words_wrong', { language: wanted.language, place: '/mnemonic' })],
      cause,
    })
  }
}
