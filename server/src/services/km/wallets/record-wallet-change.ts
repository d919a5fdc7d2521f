import type { EventName, Mode, Wallet } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import { actorOf, type Caller } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { toWalletResponse } from './wallet-response.ts'
import type { StoredWallet } from '../keys/wallets.store.ts'

export type WalletChange = {
  readonly call: Caller & { readonly companyId: string; readonly mode: Mode }
  /** As operations are called: `wallets.back_up` */
  readonly action: string
  readonly event: Extract<EventName, { resource: 'wallets' }>['action']
  /** After the change. */
  readonly stored: StoredWallet
}

/** Writes the audit entry and the event of a change, and returns the wallet as the API shows it. */
export const recordWalletChange = async (
  { audit, outbox, publicUrl }: KmDependencies,
  tx: Transaction,
  { call, action, event, stored }: WalletChange,
): Promise<Wallet> => {
  const { companyId, mode } = call
  const wallet = toWalletResponse(stored, publicUrl())
  await audit.write(tx, {
    ...actorOf(call),
    action,
    subject: `wallet:${wallet.id}`,
    companyId,
    details: { mode, name: wallet.name, status: wallet.status },
  })
  const owner = { kind: 'company', id: companyId } as const
  await outbox.write(tx, { resource: 'wallets', action: event, owner, mode, payload: wallet })
  return wallet
}
