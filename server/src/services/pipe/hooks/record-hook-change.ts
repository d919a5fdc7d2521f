import type { Hook } from '@millseal/contract'
import { type Principal, principalName } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'

export type HookChange = {
  /** As operations are called. */
  readonly audited: string
  readonly action: 'create_one' | 'update_one' | 'delete_one'
  readonly hook: Hook
  /** Nobody where the service itself did it. */
  readonly by: { readonly principal: Principal; readonly client: { readonly ip: string } } | undefined
  readonly details?: object
}

/** An entry in the audit log and an event to the company, in the transaction of the change. */
export const recordHookChange = async (
  { audit, outbox }: Pick<PipeDependencies, 'audit' | 'outbox'>,
  tx: Transaction,
  { audited, action, hook, by, details = {} }: HookChange,
): Promise<void> => {
  const companyId = hook.owner.id
  await audit.write(tx, {
    actor: by === undefined ? 'service' : principalName(by.principal),
    action: audited,
    subject: `hook:${hook.id}`,
    companyId,
    ...(by === undefined ? {} : { ipAddress: by.client.ip }),
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
