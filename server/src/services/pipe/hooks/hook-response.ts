import type { CompanyReference, Hook } from '@millseal/contract'
import { parseScopes } from './hook-scopes.ts'
import type { StoredHook } from './hooks.store.ts'

/** Contains neither the secret nor the values of headers. */
export const toHookResponse = (hook: StoredHook, owner: CompanyReference): Hook => ({
  id: hook.id,
  createdAt: hook.createdAt.toISOString(),
  updatedAt: hook.updatedAt.toISOString(),
  name: hook.name ?? undefined,
  description: hook.description ?? undefined,
  connectionUrl: hook.connectionUrl,
  contentType: hook.contentType,
  status: hook.status,
  enableSSL: hook.enableSsl,
  ordered: hook.ordered,
  notifyEmail: hook.notifyEmail ?? undefined,
  mode: hook.mode,
  headers: hook.headerNames.map((name) => ({ name })),
  scopes: parseScopes(hook),
  owner,
})
