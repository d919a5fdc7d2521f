import type { MailHook } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { HookMode } from '../hooks/hook-scopes.ts'

export type MailHookChange = {
  /** The name of the operation in the audit log. */
  readonly operation: string
  readonly action: 'create_one' | 'update_one' | 'delete_one'
  readonly hook: MailHook
  readonly mode: HookMode
  readonly by: { readonly principal: Principal; readonly client: { readonly ip: string } }
  readonly details?: object
}

/** Writes the audit log and the event, in the transaction of the change. */
export const recordMailHookChange = async (
  { audit, outbox }: PipeDependencies,
  tx: Transaction,
  { operation, action, hook, mode, by, details = {} }: MailHookChange,
): Promise<void> => {
  const { principal, client } = by
  const companyId = hook.owner.id
  await audit.write(tx, {
    actor: principalName(principal),
    action: operation,
    subject: `mailhook:${hook.id}`,
    companyId,
    ipAddress: client.ip,
    details: { mode, status: hook.status, scopes: hook.scopes, ...details },
  })
  const actingMode = principal.kind === 'user' ? 'live' : principal.mode
  await outbox.write(tx, {
    resource: 'mail_hooks',
    action,
    owner: { kind: 'company', id: companyId },
    mode: mode === 'all' ? actingMode : mode,
    payload: hook,
  })
}
