import type { operations, WalletWithKey } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { KmDependencies } from '../dependencies.ts'
import { readLanguage } from './mnemonic-language.ts'
import { recordChange } from './record-change.ts'
import { toWalletResponse, toWalletWithKey } from './wallet-response.ts'
import { findWalletOfCompany, insertWallet } from './wallets.store.ts'

/** One per company and mode; the words are kept until they are backed up. */
export const createWallet =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.createWallet>): Promise<WalletWithKey> => {
    const { body = {}, companyId, mode } = call
    const language = readLanguage(body.options?.language)
    const password = body.options?.password
    // Asked first because making a root is dear; the insert decides.
    if ((await findWalletOfCompany(deps.database.query, { companyId, mode })) !== undefined) {
      throw new Problem('wallet_exists')
    }
    const now = deps.clock.now()
    const id = uuidv7(now)
    const root = await deps.vault.create({
      walletId: id,
      mode,
      language,
      ...(password === undefined ? {} : { password: new Secret(password) }),
    })
    return call.commit(async (tx) => {
      const name = body.name ?? (mode === 'live' ? 'Live wallet' : 'Test wallet')
      const entry = { id, companyId, mode, name, language, sealedRoot: root.sealed }
      const stored = await insertWallet(tx, entry, new Date(now))
      if (stored === undefined) throw new Problem('wallet_exists')
      const wallet = toWalletResponse(stored, deps.publicUrl())
      const change = { action: 'wallets.create', event: 'create_one', wallet } as const
      await recordChange(deps, tx, { by: call, change })
      return toWalletWithKey(wallet, root, call)
    })
  }
