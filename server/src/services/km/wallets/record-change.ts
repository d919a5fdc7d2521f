import type { EventName, Mode, Wallet } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'

type By = {
  readonly principal: Principal
  readonly companyId: string
  readonly mode: Mode
  readonly client: { readonly ip: string }
}

export type WalletChange = {
  /** As operations are called: `wallets.back_up` */
  readonly action: string
  readonly event: Extract<EventName, { resource: 'wallets' }>['action']
  /** As it is afterwards, without its root. */
  readonly wallet: Wallet
}

/** What every change of a wallet leaves behind: an entry in the audit log, and an event to the company. */
export const recordChange = async (
  { audit, outbox }: Pick<KmDependencies, 'audit' | 'outbox'>,
  tx: Transaction,
  { by, change }: { readonly by: By; readonly change: WalletChange },
): Promise<void> => {
  const { principal, companyId, mode, client } = by
  const { action, event, wallet } = change
  await audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `wallet:${wallet.id}`,
    companyId,
    ipAddress: client.ip,
    details: { mode, name: wallet.name, status: wallet.status },
  })
  const owner = { kind: 'company', id: companyId } as const
  await outbox.write(tx, { resource: 'wallets', action: event, owner, mode, payload: wallet })
}
