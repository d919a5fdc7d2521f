import type { operations, WalletWithKey } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { KmDependencies } from '../dependencies.ts'
import { readLanguage } from './mnemonic-language.ts'
import { recordWalletChange } from './record-wallet-change.ts'
import { toWalletWithKey } from './wallet-response.ts'
import { findWalletOfCompany, insertWallet } from '../keys/wallets.store.ts'

/** One wallet per company and mode. The mnemonic is stored until it is backed up. */
export const createWallet = async (
  deps: KmDependencies,
  call: Call<typeof operations.createWallet>,
): Promise<WalletWithKey> => {
  const { body = {}, companyId, mode } = call
  const language = readLanguage(body.options?.language)
  const password = body.options?.password
  // Creating a root is expensive, so check first. The insert decides.
  if ((await findWalletOfCompany(deps.database.query, { companyId, mode })) !== undefined) {
    throw new Problem('wallet_exists')
  }
  const now = deps.clock.now()
  const id = uuidv7(now)
  const root = await deps.vault.create({
    walletId: id,
    mode,
    language,
    password: password === undefined ? undefined : new Secret(password),
  })
  return call.commit(async (tx) => {
    const name = body.name ?? (mode === 'live' ? 'Live wallet' : 'Test wallet')
    const wallet = { id, companyId, mode, name, language, encryptedRoot: root.encrypted }
    const stored = await insertWallet(tx, wallet, new Date(now))
    if (stored === undefined) throw new Problem('wallet_exists')
    const change = { call, action: 'wallets.create', event: 'create_one', stored } as const
    return toWalletWithKey(await recordWalletChange(deps, tx, change), root, call)
  })
}
