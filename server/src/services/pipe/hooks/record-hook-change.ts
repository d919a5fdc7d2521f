import type { Hook } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'

export type HookChange = {
  /** The name of the operation in the audit log. */
  readonly operation: string
  readonly action: 'create_one' | 'update_one' | 'delete_one'
  readonly hook: Hook
  /** Undefined if the service itself made the change. */
  readonly by: { readonly principal: Principal; readonly client: { readonly ip: string } } | undefined
  readonly details?: object
}

/** Writes the audit log and the event, in the transaction of the change. */
export const recordHookChange = async (
  { audit, outbox }: PipeDependencies,
  tx: Transaction,
  { operation, action, hook, by, details = {} }: HookChange,
): Promise<void> => {
  const companyId = hook.owner.id
  await audit.write(tx, {
    actor: by === undefined ? 'service' : principalName(by.principal),
    action: operation,
    subject: `hook:${hook.id}`,
    companyId,
    ipAddress: by?.client.ip,
    details: { host: new URL(hook.connectionUrl).host, mode: hook.mode, scopes: hook.scopes, ...details },
  })
  const actingMode = by === undefined || by.principal.kind === 'user' ? 'live' : by.principal.mode
  await outbox.write(tx, {
    resource: 'hooks',
    action,
    owner: { kind: 'company', id: companyId },
    mode: hook.mode === 'all' ? actingMode : hook.mode,
    payload: hook,
  })
}
